"""`python -m docqn` is `docqn`."""

from docqn.cli import main

if __name__ == "__main__":
    main()
