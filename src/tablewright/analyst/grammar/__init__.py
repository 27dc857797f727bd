"""Candidate readings of a question, from one grammar."""
