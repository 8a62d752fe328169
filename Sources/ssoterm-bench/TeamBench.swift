import Essentials
import SSOLab
import SSOPostgreSQL
import SSOScenarios
import SSOStore

/// Benchmarks of a lab that several programs share, on SQLite or PostgreSQL.
enum TeamBench {
  /// Returns the number of intents per second that this process commits.
  ///
  /// Each one moves the clock, which is the smallest intent.
  static func intentsPerSecond(store: String, seconds: Double) throws -> Double {
    let lab = try open(store)
    let clock = ContinuousClock()
    let began = clock.now
    var count = 0.0
    while clock.now - began < .seconds(seconds) {
      _ = try lab.perform(MoveClock(bySeconds: 1))
      count += 1
    }
    let took = clock.now - began
    return count / (Double(took.components.seconds) + Double(took.components.attoseconds) / 1e18)
  }

  /// Returns the sorted times, in milliseconds, from a commit until another connection is notified and has reread the
  /// lab.
  static func commitToRead(store: String, count: Int) throws -> [Double] {
    let (writer, reader) = (try open(store), try open(store))
    guard let watch = try StoreWatch(reader.store) else { throw Failure("nothing watches a lab in memory") }
    return try (0..<count).map { _ in
      usleep(20_000)
      drain(watch.descriptor)
      let seen = try reader.store.changeMark
      _ = try writer.perform(MoveClock(bySeconds: 1))
      return try milliseconds {
        while try reader.store.changeMark == seen {
          var waiting = pollfd(fd: watch.descriptor, events: Int16(POLLIN), revents: 0)
          guard poll(&waiting, 1, 5000) == 1 else { throw Failure("no notification of a commit arrived") }
          drain(watch.descriptor)
        }
        _ = try reader.read { try $0.apps.rows() }
      }
    }.sorted()
  }

  private static func drain(_ descriptor: Int32) {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while Essentials.read(descriptor, &buffer, buffer.count) > 0 {}
  }

  private static func open(_ store: String) throws -> Lab {
    let folder = FileManager.default.temporaryDirectory.path + "/ssoterm-bench-state"
    let location: WorldStore.Location =
      LabAddress.matches(store)
      ? .server(try LabAddress(store, stateFolder: folder)) : .file(path: store)
    return try Lab.open(location, creating: { try ScenarioLibrary().scenario(ScenarioLibrary.usual) }).lab
  }
}
