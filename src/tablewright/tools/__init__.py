"""Tools that agents can use besides the sandbox. A tool's failure is a result, never an exception that ends the run."""
