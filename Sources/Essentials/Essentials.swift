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

// A generic function that casts or instantiates a type by name makes the runtime look through all conformances of the
// program, which takes a quarter of a millisecond the first time. These two are called before the first frame.

extension Data {
  /// Creates data from the UTF-8 bytes of a string.
  package init(_ bytes: String.UTF8View) {
    let copied = bytes.withContiguousStorageIfAvailable { buffer in
      buffer.baseAddress.map { Data(bytes: $0, count: buffer.count) } ?? Data()
    }
    self = copied ?? Data(Array(bytes))
  }
}

extension Array where Element == String {
  /// Returns the strings one after another, with a separator between them.
  package func joined(separator: String = "") -> String {
    var text = ""
    for (index, element) in enumerated() {
      if index > 0 { text.append(separator) }
      text.append(element)
    }
    return text
  }
}
