"""The Docker backend: one container per session, on gVisor's kernel or the host's, controlled over stdio."""
