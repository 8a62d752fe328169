import Essentials
import SSOCore
import SSOScenarios
import SSOServer
import SSOStore
import SSOTermApp
import SafeText

/// The commands that a test sends to a server through its control interface.
///
/// They run as processes of this program, so that they behave like the same commands in a shell.
struct ControlCommands: Sendable {
  /// The store that the server serves, with its password if it is a database's.
  let store: String

  /// The command that returns to the start, without accepting a scenario from the test, which could be any file.
  private static let reset = ["lab", "reset"]
  /// The commands that change or show the lab without accessing files.
  private static let allowed: [[String]] = [
    ["clock"], ["revoke"], ["expire"], ["invalidate"], ["delete"], ["forget"], ["fault"], ["policy"],
    ["compliance"],
    ["person"], ["tenant"], ["registration"], ["group"], ["role"], ["status"], ["accounts"], ["tokens"],
    ["undo"], ["redo"], ["journal"], ["trace", "list"], ["trace", "show"], ["why"], ["explain"],
    ["serve", "next"], ["serve", "env"],
  ]

  /// Runs a command, and returns its exit status with the JSON document that it prints.
  func run(_ words: [String]) -> LabControl.Result {
    guard words == Self.reset || Self.allowed.contains(where: { words.starts(with: $0) }),
      !words.contains(where: { $0.hasPrefix("--store") || $0.contains("\0") })
    else {
      let names = (Self.allowed + [Self.reset]).map { $0.joined(separator: " ") }.joined(separator: ", ")
      return .refused(
        CommandFailure(
          usage: "This command is not available to tests.",
          why: "the control interface takes \(names), on the server's store",
          next: "ssoterm help serve"
        ).json)
    }
    do throws(SystemError) {
      let (status, output) = try output(of: [ProgramStart.path] + words + ["--json", "--quiet"])
      return LabControl.Result(exitStatus: Int(status), output: output)
    } catch {
      return .refused(
        CommandFailure(
          status: .fault, kind: "fault", what: "The command could not be started.", why: error.displayText,
          next: "ssoterm status"
        ).json)
    }
  }

  private func output(of words: [String]) throws(SystemError) -> (status: Int32, output: Data) {
    let path = FileManager.default.temporaryDirectory.path + "/ssoterm-control-" + UUID().uuidString
    let file = try openPrivateFile(path, .absent)
    defer { close(file) }
    unlink(path)
    var environment = ProcessInfo.processInfo.environment
    environment["SSOTERM_CONTROL_TOKEN"] = nil
    environment["SSOTERM_STORE"] = store
    let child = try SpawnedProgram(words, environment: environment, streams: .init(output: file))
    var ending: Int32 = 0
    while waitpid(child.pid, &ending, 0) < 0, errno == EINTR {}
    // WEXITSTATUS and WTERMSIG are macros, which Swift does not import.
    let status = ending & 0x7f == 0 ? (ending >> 8) & 0xff : 128 + (ending & 0x7f)
    return (status, try Self.contents(of: file))
  }

  private static func contents(of file: Int32) throws(SystemError) -> Data {
    lseek(file, 0, SEEK_SET)
    var output = Data()
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(file, &bytes, bytes.count)
      guard count >= 0 || errno == EINTR else { throw SystemError(code: errno) }
      if count == 0 { return output }
      output.append(contentsOf: bytes.prefix(max(count, 0)))
    }
  }
}
