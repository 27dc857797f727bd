"""What connects tables: keys with their multiplicity, and parts of one form. Pure."""
