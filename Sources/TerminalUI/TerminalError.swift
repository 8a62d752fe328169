/// The reason that a full-screen interface is not available.
///
/// The program can still run in plain mode.
package enum TerminalError: Error, Equatable, Sendable, CustomStringConvertible {
  case noTerminal
  case noType
  case unknownType(String)
  case cannotMoveCursor(String)
  case alreadyOpen

  package var description: String {
    switch self {
    case .noTerminal: "There is no terminal: /dev/tty cannot be opened."
    case .noType: "TERM is not set, so the terminal's abilities are not known."
    case .unknownType(let type): "TERM is '\(type)', which terminfo does not know on this machine."
    case .cannotMoveCursor(let type): "A terminal of type '\(type)' cannot move its cursor."
    case .alreadyOpen: "The terminal is already in use by this process."
    }
  }
}
