import Dispatch
import Essentials

/// A private session bus, found only by programs that are given its address.
package final class PrivateBus: Sendable {
  package let address: String
  /// Open while the bus is wanted: the shell ends the daemon when it closes, also if this program is killed.
  private let leash: PrivatePipe
  private let shell: pid_t

  /// The daemon, with its socket in a new folder, until the standard input of this shell ends.
  ///
  /// A thread that blocks SIGTERM hands that down, so only SIGKILL ends the daemon for certain. The daemon may warn after
  /// its address, when nobody reads its errors any more: SIGPIPE is ignored. A socket's path has at most 108 bytes
  /// (unix(7)), so a long TMPDIR cannot hold it.
  private static let script = """
    trap '' INT PIPE TTOU; [ ${#TMPDIR} -lt 80 ] || TMPDIR=/tmp; folder=$(mktemp -d) || exit 1
    dbus-daemon --session --nofork --nopidfile --print-address=1 --address="unix:path=$folder/bus" </dev/null &
    bus=$!; exec >/dev/null 2>&1; cat; kill -9 $bus; rm -rf "$folder"
    """

  /// - Throws: `BusError` if there is no `dbus-daemon`, or it gives no address.
  package init() throws(BusError) {
    guard let input = PrivatePipe(), let output = PrivatePipe(), let errors = PrivatePipe() else {
      throw .noDaemon("No pipe can be made.")
    }
    do throws(SystemError) {
      shell = try SpawnedProgram(
        ["/bin/sh", "-c", Self.script], environment: ProcessInfo.processInfo.environment,
        streams: .init(input: input.reading, output: output.writing, errors: errors.writing)
      ).pid
    } catch { throw .noDaemon("/bin/sh cannot be run.") }
    leash = input
    input.endReading()
    output.endWriting()
    errors.endWriting()
    guard let address = output.nextText(limit: 4096).split(separator: "\n").first, address.contains(":")
    else {
      input.endWriting()
      let said = errors.nextText(limit: 400)
      Self.awaitEnd(of: shell)
      throw .noDaemon(said.isEmpty ? "dbus-daemon gave no address." : said.trimmed)
    }
    self.address = String(address)
  }

  deinit { end() }

  /// Ends the bus, and with it the connections of all programs.
  package func end() {
    guard leash.writing >= 0 else { return }
    leash.endWriting()
    Self.awaitEnd(of: shell)
  }

  /// Takes the status of the shell, which ends within moments.
  private static func awaitEnd(of shell: pid_t) {
    DispatchQueue.global().async { waitpid(shell, nil, 0) }
  }
}
