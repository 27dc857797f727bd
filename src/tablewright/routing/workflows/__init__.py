"""Which published workflow a message is for, or none: pure, over the candidates that it is given."""
