"""What a workflow does next, from its definition and what has happened: pure, without I/O."""
