// Re-export this target's dependencies to its own files and to files that import it.

@_exported import SSODevice
@_exported import SSOInterop
@_exported import SSOProvider
@_exported import SSOStore
