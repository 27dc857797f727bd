"""The face of workbook rounds: a native run told in another wire's words."""
