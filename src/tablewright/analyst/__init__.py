"""The built-in analyst: a deterministic program that answers as a model does.

A question and the facts of the tables become a logical plan (`reading`), the plan becomes readable pandas code
(`writing`), and what the code gave becomes a sentence (`answering`). What cannot be read is declined.
"""
