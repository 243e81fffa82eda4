"""Shows a stack more than there are players."""

from rightly import serve_tables

serve_tables(lambda _, table: table["stacks"].append([]))
