// Files of this target, and those that import it, see these modules too.

@_exported import SSOBus
@_exported import SSODoctor
@_exported import SSOReading
@_exported import SSOScenarios
@_exported import SSOServer
@_exported import TerminalUI
