"""The agent that changes workbooks: a plan is drafted, confirmed and executed, round by round."""
