"""The language of templates and conditions: Jinja2's expressions in its sandbox, without calls, bounded in all."""
