"""The agent of structured rounds: typed answers, tool calls, a report."""
