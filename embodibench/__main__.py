"""``python -m embodibench`` is the console script."""

from embodibench.cli.main import main

if __name__ == "__main__":
    main()
