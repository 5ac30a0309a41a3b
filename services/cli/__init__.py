"""The command line: data on stdout, progress and errors on stderr, exit codes as documented."""
