"""Reading tables from files of many kinds, and profiling them. The layers above import only `data.base`."""
