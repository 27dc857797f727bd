"""The agent that works with tools: it thinks, calls, and thinks again, until it calls nothing."""
