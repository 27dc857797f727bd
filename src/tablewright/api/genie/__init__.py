"""The wire of Genie: runs as the frames of JoyAgent-JDGenie's page, and tables as its models."""
