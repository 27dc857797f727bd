"""Databases: the connections of a tenant, what a run may query, and tables that a question is asked about."""
