"""What is kept for a time, and what is removed after it."""
