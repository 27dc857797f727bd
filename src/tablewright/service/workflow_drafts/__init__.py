"""Drafts of workflows, made from conversations that have ended well."""
