"""Where code runs. The floors above import `sandbox.base` only; bootstrap names the backends."""
