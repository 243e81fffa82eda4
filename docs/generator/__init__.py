"""The pages of the rules site, made from `spec/`, `features/` and `docs/` as plain Markdown.

The pages are written before the build, so that any builder of Markdown can take them.
Run as `python -m generator` with `docs/` on the path; see `__main__`.
"""
