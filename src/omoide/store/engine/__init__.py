"""Connection, gate, writer, migrations, and the health of the file."""
