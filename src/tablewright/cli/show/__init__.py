"""What a person sees in the terminal: steps as they come, then the answer."""
