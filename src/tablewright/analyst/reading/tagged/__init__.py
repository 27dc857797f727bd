"""Questions that prescribe the form of their answer, `@name[value]`; each tag is read by what it asks for."""
