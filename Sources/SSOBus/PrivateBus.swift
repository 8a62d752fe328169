import Foundation

/// A private session bus, found only by programs that are given its address.
package final class PrivateBus: Sendable {
  package let address: String
  /// Open while the bus is wanted: the shell ends the daemon when it closes, also if this program is killed.
  private let leash: FileHandle

  /// The daemon, with its socket in a new folder, until the standard input of this shell ends.
  ///
  /// A thread that blocks SIGTERM hands that down, so only SIGKILL ends the daemon for certain.
  private static let script = """
    trap '' INT TTOU; folder=$(mktemp -d) || exit 1
    dbus-daemon --session --nofork --nopidfile --print-address=1 --address="unix:path=$folder/bus" </dev/null &
    bus=$!; exec >/dev/null 2>&1; cat; kill -9 $bus; rm -rf "$folder"
    """

  /// - Throws: `BusError` if there is no `dbus-daemon`, or it gives no address.
  package init() throws(BusError) {
    guard let input = pipeOfThisProcess() else { throw .noDaemon("No pipe can be made.") }
    let (output, errors) = (Pipe(), Pipe())
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = ["-c", Self.script]
    shell.standardInput = input.reading
    shell.standardOutput = output
    shell.standardError = errors
    do { try shell.run() } catch {
      throw .noDaemon("/bin/sh cannot be run.")
    }
    try? output.fileHandleForWriting.close()
    try? errors.fileHandleForWriting.close()
    let line = String(decoding: output.fileHandleForReading.availableData.prefix(4096), as: UTF8.self)
    guard let address = line.split(separator: "\n").first, address.contains(":") else {
      try? input.writing.close()
      let said = String(decoding: errors.fileHandleForReading.availableData.prefix(400), as: UTF8.self)
      throw .noDaemon(said.isEmpty ? "dbus-daemon gave no address." : said.trimmed)
    }
    self.address = String(address)
    leash = input.writing
    try? input.reading.close()
  }

  /// Ends the bus, and with it the connections of all programs.
  package func end() { try? leash.close() }
}

/// A pipe whose ends no other program inherits: one that did would keep the bus running.
private func pipeOfThisProcess() -> (reading: FileHandle, writing: FileHandle)? {
  var ends: [Int32] = [0, 0]
  guard pipe(&ends) == 0 else { return nil }
  for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  return (
    FileHandle(fileDescriptor: ends[0], closeOnDealloc: true),
    FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
  )
}
