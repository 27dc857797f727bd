"""The agent that changes workbooks: a plan is made, confirmed and executed, round by round."""
