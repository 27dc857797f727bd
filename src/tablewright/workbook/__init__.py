"""Lossless editing of users' workbooks, and reading them for models.

Everything works from files to files: a path goes in, and a path plus a description of the changes comes out.
"""
