import Essentials

/// A property list to write.
///
/// Property lists from untrusted files are never expanded into this type.
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
