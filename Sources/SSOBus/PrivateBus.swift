import Dispatch
import Essentials
import SSOCore
import Synchronization

/// A private session bus that only programs with its address can find.
package final class PrivateBus: Sendable {
  package let address: String
  /// A pipe that stays open while the bus is needed.
  ///
  /// The shell ends the daemon when it closes, even if this program is killed.
  private let leash: PrivatePipe
  private let shell: pid_t

  /// A script that runs the daemon, with its socket in a new folder, until the shell's standard input ends.
  ///
  /// The daemon inherits a blocked SIGTERM from a thread that blocks it, so only SIGKILL is certain to end the daemon.
  /// The daemon may print a warning after its address, when nothing reads its standard error anymore, so SIGPIPE is
  /// ignored. The path of a socket has at most 108 bytes (unix(7)), so a long TMPDIR is not used.
  private static let script = """
    trap '' INT PIPE TTOU; [ ${#TMPDIR} -lt 80 ] || TMPDIR=/tmp; folder=$(mktemp -d) || exit 1
    dbus-daemon --session --nofork --nopidfile --print-address=1 --address="unix:path=$folder/bus" </dev/null &
    bus=$!; exec >/dev/null 2>&1; cat; kill -9 $bus; rm -rf "$folder"
    """

  /// - Throws: `BusError` if there is no `dbus-daemon`, or the daemon does not print an address.
  package init() throws(BusError) {
    guard let input = PrivatePipe(), let output = PrivatePipe(), let errors = PrivatePipe() else {
      throw .noDaemon("No pipe can be made.")
    }
    do throws(SystemError) {
      shell = try SpawnedProgram(
        ["/bin/sh", "-c", Self.script],
        environment: SpawnedProgram.helperEnvironment(ProcessInfo.processInfo.environment),
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

  /// Ends the bus, and with it all programs' connections.
  package func end() {
    guard leash.writing >= 0 else { return }
    leash.endWriting()
    Self.awaitEnd(of: shell)
  }

  /// Reaps the shell, which exits within moments.
  private static func awaitEnd(of shell: pid_t) {
    DispatchQueue.global().async { waitpid(shell, nil, 0) }
  }
}

/// A pipe whose ends are not inherited by other programs.
final class PrivatePipe: Sendable {
  private let ends: Mutex<(reading: Int32, writing: Int32)>

  /// Creates a pipe, or returns `nil` if the process cannot open more files.
  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    self.ends = Mutex((ends[0], ends[1]))
  }

  deinit {
    endReading()
    endWriting()
  }

  /// The descriptor of the reading end, or -1 after `endReading()`.
  var reading: Int32 { ends.withLock(\.reading) }
  /// The descriptor of the writing end, or -1 after `endWriting()`.
  var writing: Int32 { ends.withLock(\.writing) }

  func endReading() {
    ends.withLock { ends in
      if ends.reading >= 0 { close(ends.reading) }
      ends.reading = -1
    }
  }

  func endWriting() {
    ends.withLock { ends in
      if ends.writing >= 0 { close(ends.writing) }
      ends.writing = -1
    }
  }

  /// Waits for bytes and returns at most `limit` of them, or an empty string at the end.
  func nextText(limit: Int) -> String {
    var bytes = [UInt8](repeating: 0, count: limit)
    while true {
      let count = read(reading, &bytes, limit)
      if count < 0, errno == EINTR { continue }
      return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }
  }
}
