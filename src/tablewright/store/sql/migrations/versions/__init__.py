"""One file per migration; a released migration is never changed."""
