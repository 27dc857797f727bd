"""The built-in analyst: a deterministic program that answers the same tasks as a language model.

`reading` turns a question and the facts of the tables into a logical plan, `writing` turns the plan into readable
pandas code, and `answering` turns the results of that code into a sentence. Questions that cannot be read are
declined.
"""
