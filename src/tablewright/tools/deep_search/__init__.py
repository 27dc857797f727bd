"""Deep search: what a question needs to know is looked for and read; the answer cites the passages it stands on."""
