"""What a person sees in the terminal: steps as they happen, then the answer."""
