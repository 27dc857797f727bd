"""One kind of question per module: each offers a plan for a parsed question, or None."""
