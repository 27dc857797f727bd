"""Tools that agents may use beside the sandbox. A tool's failure is a value, never an exception of the run."""
