// What this target builds on is in sight of its own files and of those that import it.

@_exported import SSOBus
@_exported import SSODoctor
@_exported import SSOReading
@_exported import SSOScenarios
@_exported import SSOServer
@_exported import TerminalUI
