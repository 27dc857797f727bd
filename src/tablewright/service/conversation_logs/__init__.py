"""Logs of structured rounds as lines of JSON: folds of what is stored, written anew whenever it has grown."""
