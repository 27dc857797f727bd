"""Text for people: message catalogues in zh and en, by code."""
