"""Channels: clients of the workbook rounds, their sheets, requests and answers."""
