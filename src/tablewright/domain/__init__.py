"""Plain data that every part of the house speaks: frozen values, no I/O, no vendor's words."""
