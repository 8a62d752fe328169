@_exported import SSOLab
