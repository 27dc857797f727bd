"""Conversations in which every message is routed to a workflow, which may stop to ask and go on with what is said."""
