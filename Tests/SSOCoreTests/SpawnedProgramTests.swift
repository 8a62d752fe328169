import Essentials
import SSOCore
import Testing

@Suite("A program that is started")
struct SpawnedProgramTests {
  /// Returns the output of a shell script that runs in the background.
  private func output(of script: String, environment: [String: String] = [:]) throws -> String {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { close(ends[0]) }
    let program = try SpawnedProgram(
      ["/bin/sh", "-c", script], environment: environment, streams: .init(output: ends[1]))
    close(ends[1])
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while case let count = read(ends[0], &chunk, chunk.count), count > 0 { text += chunk[..<count] }
    var status: Int32 = 0
    #expect(waitpid(program.pid, &status, 0) == program.pid)
    return String(decoding: text, as: UTF8.self)
  }

  @Test func hasTheGivenEnvironmentAndNoOther() throws {
    #expect(try output(of: "echo $GIVEN-${HOME-none}", environment: ["GIVEN": "here"]) == "here-none\n")
  }

  @Test func readsNothingInTheBackground() throws {
    #expect(try output(of: "cat; echo end") == "end\n")
  }

  @Test func inheritsNoOtherDescriptor() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    defer { for end in ends { close(end) } }
    #expect(try output(of: "[ -e /dev/fd/\(ends[0]) ] && echo open; echo end") == "end\n")
  }

  @Test func leadsItsOwnGroupInTheBackground() throws {
    #expect(try output(of: "kill -s 0 -- -$$ && echo leads") == "leads\n")
  }

  /// A descriptor that another thread opens at the same moment is not inherited either.
  @Test func inheritsNoDescriptorThatIsOpenedMeanwhile() async throws {
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for _ in 0..<20_000 { close(open("/dev/null", O_RDONLY)) }
      }
      group.addTask {
        for _ in 0..<50 {
          let open = try? output(of: "cd /dev/fd; for one in *; do [ $one -gt 2 ] && readlink $one; done")
          #expect(open?.contains("/dev/null") == false)
        }
      }
    }
  }

  @Test func aHelperGetsNeitherAddressesNorPasswords() {
    let variables = [
      "PGPASSWORD": "a", "SSOTERM_STORE": "postgresql://u:p@h/d", "HOME": "/", "DISPLAY": ":0",
    ]
    #expect(SpawnedProgram.helperEnvironment(variables) == ["HOME": "/", "DISPLAY": ":0"])
  }

  @Test func oneThatIsNotThereIsRefused() {
    #expect(throws: SystemError(code: ENOENT)) {
      try SpawnedProgram(["/nowhere/program"], environment: [:])
    }
  }
}
