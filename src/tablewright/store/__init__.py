"""Where everything is kept; the floors above import `store.base` only."""
