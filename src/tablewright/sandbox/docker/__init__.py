"""The backend of containers: one for each session, with gVisor's kernel or the host's, spoken to over stdio."""
