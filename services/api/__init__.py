"""The service over HTTP: what the room's log knows, for whoever may know it."""
