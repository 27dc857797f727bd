"""What a link to a conversation shows."""
