// The part of Foundation that brings no ICU, and the C library. On Linux full Foundation adds 34 MB of ICU's data and a
// millisecond of start to a static program; where FoundationEssentials is no module (macOS), Foundation is the system's.

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
