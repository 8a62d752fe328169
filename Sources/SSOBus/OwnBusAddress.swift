import Essentials
import SSOCore

/// A D-Bus address of a socket of this user, checked now.
///
/// An address in a lab comes from anyone who can write the lab. D-Bus has addresses that run a program
/// (`unixexec:`) or reach another machine (`tcp:`), and lists of addresses; only a single Unix socket is valid here
/// (https://dbus.freedesktop.org/doc/dbus-specification.html#addresses).
struct OwnBusAddress {
  let text: String

  /// Creates the address, or returns `nil` if it is not one of a Unix socket, or the socket at its path belongs to
  /// another user.
  init?(_ text: String) {
    guard text.utf8.count <= 1024, text.utf8.allSatisfy(Self.isValid), text.hasPrefix("unix:") else {
      return nil
    }
    var values: [Substring: String] = [:]
    for field in text.dropFirst("unix:".count).split(separator: ",", omittingEmptySubsequences: false) {
      let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let value = FormEncoding.decodeText(String(parts[1]), plusIsSpace: false),
        !value.contains("\0"),
        values.updateValue(value, forKey: parts[0]) == nil
      else { return nil }
    }
    values["guid"] = nil
    guard values.count == 1 else { return nil }
    if let path = values["path"] {
      guard Self.isOwnSocket(path) else { return nil }
    } else {
      // An abstract socket has no owner before it is connected to.
      guard values["abstract"]?.isEmpty == false else { return nil }
    }
    self.text = text
  }

  /// Returns whether a byte may occur in a single address.
  ///
  /// These are the bytes that need no escape in a value, the `%` of an escape, and the separators within an address,
  /// but not the `;` of a list.
  private static func isValid(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, 65...90, 97...122: true
    default: #"-_/.\*%:=,"#.utf8.contains(byte)
    }
  }

  private static func isOwnSocket(_ path: String) -> Bool {
    var status = stat()
    return path.hasPrefix("/") && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
      && status.st_uid == getuid()
  }
}
