import Foundation
import Glibc
import Testing

@testable import SSOCore

@Suite("The store under kill -9", .serialized)
struct StoreDurabilityTests {
  @Test("After 100 kills in the middle of writing, nothing acknowledged is lost and the store opens")
  func killedWhileWriting() throws {
    let folder = try Folder()
    let store = folder.path("s.sqlite")
    #expect(try Program.run(["clock", "+1s", "--store", store], in: folder).status == .exit(0))
    var acknowledged = 1
    var killed = 0
    var delays = Randomness(seed: 1)
    for round in 1...100 {
      let child = try Child(
        [Program.path, "clock", "+1s", "--store", store],
        environment: Program.environment(home: folder.root), terminal: nil)
      usleep(UInt32(delays.next() % 60_001))
      child.send(SIGKILL)
      switch try child.ending(within: 20) {
      case .exit(0): acknowledged += 1
      case .signal(SIGKILL): killed += 1
      case let other: Issue.record("round \(round) ended with \(other)")
      }
      if round.isMultiple(of: 10) {
        let offset = try Self.offset(store, in: folder)
        // A kill between the commit and the exit leaves a write that was not acknowledged.
        #expect((acknowledged...(acknowledged + killed)).contains(offset))
      }
    }
    #expect(killed > 0)
    #expect(try Program.run(["status", "--json", "--store", store], in: folder).status == .exit(0))
    #expect(try Program.run(["undo", "--store", store], in: folder).status == .exit(0))
  }

  @Test("Silent calls leave their log to the next command, which finds them all and folds it in")
  func logOfSilentCalls() throws {
    let folder = try Folder()
    let store = folder.path("s.sqlite")
    func size(_ suffix: String) -> Int {
      (try? FileManager.default.attributesOfItem(atPath: store + suffix)[.size] as? Int) ?? 0
    }
    #expect(try Program.signIn(store: store, in: folder).status == .exit(0))
    #expect(size("-wal") == 0)
    var largest = 0
    for _ in 0..<40 {
      let run = try Program.run(["silent", Program.app1, "--store", store], in: folder)
      #expect(run.status == .exit(0), "\(run.err)")
      largest = max(largest, size("-wal"))
    }
    #expect((1...600 * 1024).contains(largest))
    let traces = try Program.run(["trace", "list", "--json", "--store", store], in: folder)
    #expect(traces.out.components(separatedBy: "\"silent \(Program.app1)\"").count == 41)
    #expect(size("-wal") == 0)
  }

  static func offset(_ store: String, in folder: Folder) throws -> Int {
    let run = try Program.run(["clock", "show", "--json", "--store", store], in: folder)
    #expect(run.status == .exit(0), "\(run.err)")
    return try JSONDecoder().decode(Clock.self, from: Data(run.out.utf8)).clockOffset
  }

  struct Clock: Decodable {
    let clockOffset: Int
  }
}
