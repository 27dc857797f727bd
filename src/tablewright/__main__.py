"""`python -m tablewright` is the command `tablewright`."""

from tablewright.cli.main import main

if __name__ == "__main__":  # processes that this one starts import it too
    main()
