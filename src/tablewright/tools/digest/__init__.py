"""What matters of a text that is longer than a model reads at once: piece by piece, then together."""
