// What this target builds on is in sight of its own files and of those that import it.

@_exported import SSOStore
