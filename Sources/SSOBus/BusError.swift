/// An error that occurs if the bus, or the broker on it, is not available.
///
/// It contains the problem, its cause, and the next step.
package struct BusError: Error, Hashable, Sendable {
  package var what: String
  package var why: String
  package var next: Advice

  static func noLibrary(_ why: String) -> BusError {
    BusError(
      what: "The broker needs libdbus, which is not installed.", why: why,
      next: "apt install libdbus-1-3 dbus-daemon")
  }

  static func noDaemon(_ why: String) -> BusError {
    BusError(
      what: "No private session bus could be started.", why: why,
      next: "apt install dbus-daemon dbus-session-bus-common")
  }

  static func taken(_ name: String, by owner: String) -> BusError {
    BusError(
      what: "The name \(name) is taken on this bus.", why: "\(owner) owns it: there is a broker already.",
      next: "End that one, or use a private bus: \(.serveBroker)")
  }
}
