import Foundation
import Testing

@testable import SSOLab
@testable import SSOPostgreSQL
@testable import SSOScenarios
@testable import SSOStore

/// A PostgreSQL server for the tests, in its own folder and on a Unix socket, which ends with the process.
final class PostgresCluster: Sendable {
  /// The server, which is started when a test first requests it.
  ///
  /// A failure is reported by each of these tests.
  private static let started = Result { try PostgresCluster() }

  /// Returns the tests' server.
  ///
  /// If it is not available, the test is cancelled with the reason, but never in CI.
  static func shared() throws -> PostgresCluster {
    if programs == nil, ProcessInfo.processInfo.environment["CI"] == nil {
      try Test.cancel("PostgreSQL is not installed: Scripts/install-packages test")
    }
    return try started.get()
  }

  let folder: ScratchFolder
  /// The address of the server's only database, without a lab.
  let url: String
  /// The folder of the tests' keys.
  let stateFolder: String
  private let server: Process
  /// A pipe that is closed when this process ends, however it ends, so that the shell then ends the server.
  private let life = Pipe()

  struct Missing: Error, CustomStringConvertible {
    var description: String
  }

  init() throws {
    guard let programs = Self.programs else {
      throw Missing(description: "no initdb: Scripts/install-packages test")
    }
    folder = try ScratchFolder(holdsSockets: true)
    stateFolder = folder.path + "/state"
    let data = folder.path + "/data"
    // The server refuses to run as root, and its folder must belong to the user that runs it.
    let other = geteuid() == 0 ? "setpriv --reuid=postgres --regid=postgres --clear-groups " : ""
    if geteuid() == 0 { try Self.shell("chown postgres '\(folder.path)'") }
    try Self.shell(
      "cd / && \(other)'\(programs)/initdb' -D '\(data)' -U postgres --auth=trust --no-sync -E SQL_ASCII "
        + "--locale=C >/dev/null 2>'\(folder.path).log'; rm -f '\(folder.path).log'")
    server = Process()
    server.executableURL = URL(fileURLWithPath: "/bin/sh")
    server.arguments = [
      "-c",
      """
      cd /
      \(other)'\(programs)/postgres' -D '\(data)' -k '\(folder.path)' -c listen_addresses= -c fsync=off \
        -c max_connections=200 -c log_line_prefix='%a ' >'\(folder.path)/log' 2>&1 </dev/null &
      server=$!
      cat >/dev/null
      kill -INT $server
      wait $server
      rm -rf '\(folder.path)'
      """,
    ]
    server.standardInput = life
    server.standardOutput = FileHandle.nullDevice
    server.standardError = FileHandle.nullDevice
    try server.run()
    try? life.fileHandleForReading.close()
    url = "postgresql://postgres@/postgres?host=" + folder.path
    for _ in 0..<200 {
      if (try? PostgresConnection(LabAddress(url, stateFolder: stateFolder))) != nil { return }
      usleep(50_000)
    }
    throw Missing(description: "the server did not start in \(folder.path)")
  }

  /// Returns a relay between the server and the users of the relay's address of a lab.
  func relay() throws -> PostgresRelay { try PostgresRelay(server: folder.path) }

  func address(_ lab: String = newName(), by relay: PostgresRelay) throws -> LabAddress {
    try LabAddress(
      "postgresql://postgres@/postgres?host=\(relay.folder.path)&connect_timeout=2&lab=\(lab)",
      stateFolder: stateFolder)
  }

  /// The server's log, each line of which starts with the `application_name`.
  var log: String {
    String(decoding: FileManager.default.contents(atPath: folder.path + "/log") ?? Data(), as: UTF8.self)
  }

  /// Returns the address of a new lab.
  func address(_ lab: String = newName()) throws -> LabAddress {
    try LabAddress(url + "&lab=" + lab, stateFolder: stateFolder)
  }

  static func newName() -> String { "t" + UUID().uuidString.lowercased() }

  /// Debian does not include the server's programs in PATH.
  private static var programs: String? {
    let root = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    let debian = versions.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.map { "\(root)/\($0)/bin" }
    return (debian + ["/opt/homebrew/opt/postgresql@17/bin"])
      .first { FileManager.default.isExecutableFile(atPath: $0 + "/initdb") }
  }

  private static func shell(_ command: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.standardInput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
  }
}

/// The databases that hold a store.
enum TestEngine: String, CaseIterable, CustomTestStringConvertible {
  case sqlite, postgresql

  var testDescription: String { rawValue }

  /// Returns an empty store.
  func store() throws -> WorldStore { try WorldStore.open(location(), create: true) }

  /// Returns a lab with a scenario's world, whose clock is stopped.
  func lab(_ file: ScenarioFile) throws -> Lab {
    let start = file.clock ?? noon
    let lab = Lab(store: try store()) { start }
    try lab.create(file)
    return lab
  }

  /// Returns the location of a store that does not exist yet.
  func location() throws -> WorldStore.Location {
    switch self {
    case .sqlite: .memory
    case .postgresql: .server(try PostgresCluster.shared().address())
    }
  }

  /// Returns the location of a store that can be opened several times.
  func location(in folder: ScratchFolder) throws -> WorldStore.Location {
    self == .sqlite ? .file(path: folder.store) : try location()
  }
}
