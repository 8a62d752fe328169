// Exports the C library and the part of Foundation that does not bring in ICU. On Linux, the full Foundation adds 34 MB
// of ICU data and a millisecond of start-up time to a static program. Where there is no FoundationEssentials module
// (macOS), this exports the system's Foundation.

#if canImport(FoundationEssentials)
  @_exported import FoundationEssentials
#else
  @_exported import Foundation
#endif
#if canImport(Glibc)
  @_exported import Glibc
#elseif canImport(Musl)
  @_exported import Musl
#elseif canImport(Darwin)
  @_exported import Darwin
#endif
