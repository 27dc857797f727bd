"""The agent of structured rounds: a model asks for tool calls in typed JSON, round by round, and ends with a report."""
