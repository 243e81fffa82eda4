"""What is tested of the rules site without a browser; `make site-test` runs the rest."""

collect_ignore = ["browser"]
