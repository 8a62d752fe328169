import Foundation
import Glibc
import Testing

extension Terminal {
  /// Starts the built program on a separate terminal, without the user's environment.
  convenience init(
    program arguments: [String], in folder: Folder, rows: Int32 = 24, columns: Int32 = 100,
    term: String = "xterm-256color", variables: [String: String] = [:], output: String = "/dev/null",
    answersQueries: Bool = true
  ) throws {
    let environment = Program.environment(home: folder.root, term: term).merging(variables) { $1 }
    try self.init(
      [Program.path] + arguments, environment: environment, rows: rows, columns: columns, output: output,
      answersQueries: answersQueries)
  }

  /// Returns a terminal with the demo of the articles' suite, drawn completely.
  static func suite(in folder: Folder, variables: [String: String] = [:]) throws -> Terminal {
    let terminal = try Terminal(program: ["demo", "contoso-suite"], in: folder, variables: variables)
    try terminal.waitFor("the apps, not signed in") {
      $0.shows("Apps 3", "My Test App 3", "needs sign-in", "? help")
    }
    return terminal
  }

  /// Checks that the line settings are as before, and that every mode that was switched on has been switched off.
  func expectRestored(sourceLocation: SourceLocation = #_sourceLocation) {
    let after = modes
    #expect(after.c_lflag == modesBefore.c_lflag, sourceLocation: sourceLocation)
    #expect(after.c_iflag == modesBefore.c_iflag, sourceLocation: sourceLocation)
    #expect(after.c_oflag == modesBefore.c_oflag, sourceLocation: sourceLocation)
    let output = String(decoding: raw, as: UTF8.self)
    // The alternate screen, bracketed paste, focus reports, and the mouse end in the off state, and the cursor in the
    // on state.
    let modes = [("1049", "l"), ("2004", "l"), ("1004", "l"), ("25", "h")]
    let mouse = output.contains("\u{1b}[?1006h") ? [("1006", "l"), ("1000", "l")] : []
    for (mode, last) in modes + mouse {
      let on = output.range(of: "\u{1b}[?\(mode)h", options: .backwards)
      let off = output.range(of: "\u{1b}[?\(mode)l", options: .backwards)
      guard let on, let off else {
        Issue.record("mode \(mode) was not switched both ways", sourceLocation: sourceLocation)
        continue
      }
      let endsOff = on.lowerBound < off.lowerBound
      #expect(endsOff == (last == "l"), "mode \(mode)", sourceLocation: sourceLocation)
    }
    #expect(!shows("SSOTerm"), sourceLocation: sourceLocation)
  }
}
