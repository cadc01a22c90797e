"""`python -m tipstaff` is `tip`."""

from tipstaff.cli.main import main

if __name__ == "__main__":
    raise SystemExit(main())
