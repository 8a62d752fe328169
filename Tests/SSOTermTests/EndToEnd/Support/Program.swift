import Foundation
import Glibc

/// The built `ssoterm`, beside the bundle of these tests.
enum Program {
  static let path = repository + "/.build/debug/ssoterm"
  static let samples = repository + "/Tests/TestSamples/Samples/caches"
  static let app1 = "com.contoso.mytestapp1"
  static let password = "analytical-engine"

  static let repository: String = {
    var url = URL(fileURLWithPath: #filePath)
    for _ in 0..<5 { url.deleteLastPathComponent() }
    return url.path
  }()

  /// Returns the complete environment of a child, so that nothing leaks in from the user who runs the tests.
  static func environment(home: String, term: String = "xterm-256color") -> [String: String] {
    [
      "HOME": home, "TERM": term, "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin", "TMPDIR": home,
      "SWIFT_BACKTRACE": "enable=no",
    ]
  }

  /// Runs the program to its end, without a terminal.
  static func run(_ arguments: [String], in folder: Folder, input: String = "") throws -> Run {
    let out = folder.path("stdout")
    let err = folder.path("stderr")
    let feed = folder.path("stdin")
    try folder.write(input, to: "stdin")
    let child = try Child(
      [path] + arguments, environment: environment(home: folder.root), terminal: nil,
      input: feed, output: out, error: err)
    let status = try child.ending(within: 20)
    return Run(status: status, out: folder.text("stdout"), err: folder.text("stderr"))
  }

  /// Runs a shell script in which `ssoterm` is the program and the folder is the working folder.
  static func shell(_ script: String, in folder: Folder) throws -> Run {
    let child = try Child(
      ["/bin/sh", "-c", "cd \(folder.root); ssoterm() { \(path) \"$@\"; }; \(script)"],
      environment: environment(home: folder.root), terminal: nil,
      output: folder.path("stdout"), error: folder.path("stderr"))
    let status = try child.ending(within: 60)
    return Run(status: status, out: folder.text("stdout"), err: folder.text("stderr"))
  }

  static func signIn(_ app: String = app1, store: String, in folder: Folder) throws -> Run {
    try run(
      [
        "signin", app, "--account", "ada@contoso.com", "--password-stdin", "--accept-consent",
        "--store", store,
      ],
      in: folder, input: password + "\n")
  }
}

/// The ending and the output of a run of the program.
struct Run {
  let status: Ending
  let out: String
  let err: String
}

enum Ending: Equatable {
  case exit(Int32)
  case signal(Int32)

  init(waitStatus: Int32) {
    let signal = waitStatus & 0x7f
    self = signal == 0 ? .exit((waitStatus >> 8) & 0xff) : .signal(signal)
  }
}

struct EndToEndError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Returns the seconds of a monotonic clock.
func secondsNow() -> Double { ProcessInfo.processInfo.systemUptime }
