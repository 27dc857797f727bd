"""The workbook rounds over HTTP: native runs in another wire format."""
