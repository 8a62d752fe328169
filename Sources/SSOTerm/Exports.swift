// Files of this target, and those that import it, see these modules too.

@_exported import SSOTermApp
