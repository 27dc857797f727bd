"""Plans of the analyst as SQL."""
