"""Links the words of a question to columns, cell values, tables, numbers and periods, by the vocabulary of
`lexicon`."""
