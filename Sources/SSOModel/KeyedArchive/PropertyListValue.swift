import Essentials

/// A property list to be written.
///
/// What was read from an untrusted file is never expanded into one.
enum PropertyListValue: Hashable {
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  case data(Data)
  case string(String)
  case uid(Int)
  case array([PropertyListValue])
  case dictionary([String: PropertyListValue])
}
