// Re-export these modules to this target's own files and to files that import it.

@_exported import SSOBus
@_exported import SSODoctor
@_exported import SSOReading
@_exported import SSOScenarios
@_exported import SSOServer
@_exported import TerminalUI
