"""An agent and a tool that count words."""
