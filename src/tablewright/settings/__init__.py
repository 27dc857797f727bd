"""One frozen tree of settings, read by bootstrap and cli only."""
