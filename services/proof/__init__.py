"""What an auditor's verifier needs, and no more: the standard library and Ed25519."""
