"""Read models: pure folds over the event log, each with its tables in SQL beside it."""
