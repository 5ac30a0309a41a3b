"""The outside: event store, projection runner, hand-history readers, command line."""
