"""Code in a sandbox session, what it puts out, and the files that it leaves: for agents and tools alike."""
