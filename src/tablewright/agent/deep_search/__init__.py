"""The agent that answers from what it finds."""
