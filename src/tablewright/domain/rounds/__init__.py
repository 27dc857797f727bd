"""Rounds on a workbook: what is proposed, agreed to and executed, and the rules of consent."""
