"""SQLite and PostgreSQL, through SQLAlchemy."""
