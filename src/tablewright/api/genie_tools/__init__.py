"""The tool services of Genie's wire: runs as the streams that its programs read, and the files of their sessions."""
