// Re-export this target's dependency to its own files and to files that import it.

@_exported import SSOCore
