"""Tools as services of their own: programs that call them name a session, its files and what is to be done."""
