"""Real language models, through pydantic-ai's model layer."""
