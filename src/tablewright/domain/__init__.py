"""Plain data shared by all parts of Tablewright: immutable values, no I/O, no vendor-specific terms."""
