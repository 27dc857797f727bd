"""What speaks to language models; the floors above import `models.base` and the pure modules only."""
