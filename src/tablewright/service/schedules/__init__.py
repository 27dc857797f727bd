"""Workflows that run at times: their schedules, their firings, and the delivery of what they gave."""
