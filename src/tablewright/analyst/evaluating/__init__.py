"""Results of plans, before one of them is chosen."""
