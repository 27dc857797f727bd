"""Operations applied to a file: step by step over an open book, then written, recomputed and put in place."""
