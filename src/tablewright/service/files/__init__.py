"""Files of an owner: uploads, profiles, sources, files that are written."""
