"""The wire of OpenAI's chat completions: its requests, and the answers made of a run's events."""
