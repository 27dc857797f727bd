"""Tables: opening files of many kinds, and knowing them. The floors above import `data.base` only."""
