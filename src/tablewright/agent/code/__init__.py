"""The code analyst: answers questions about tables by writing code in steps and running them."""
