import ArgumentParser
import Essentials

/// The format of a report that `--report KIND FILE` writes in addition to the output: for a CI that reads JUnit, or for
/// people.
enum ReportFile: String, CaseIterable {
  case junit, markdown

  func write(_ run: TrialRun, to path: String, of command: String) throws {
    try write(self == .junit ? junitText(run) : markdownText(run), to: path, of: command)
  }

  /// Writes a report.
  ///
  /// `command` is the command that writes it, for the error's suggestion.
  func write(_ text: String, to path: String, of command: String) throws {
    do {
      try writeFile(Data(text.utf8), to: path)
    } catch {
      throw CommandFailure(
        status: .usage, kind: "report", what: "The report \(path) cannot be written.",
        why: error.words, next: "\(command) --report \(rawValue) OTHER-FILE")
    }
  }

}

/// The option `--report KIND FILE`, which may be given twice.
struct ReportOption: ParsableArguments {
  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Write a report as well: junit or markdown, then the file; may be given twice.", valueName: "kind file")
  )
  var report: [String] = []

  /// Returns the reports that the words specify, as pairs of a kind and a file, and the remaining words.
  func parsed(of command: String) throws -> (files: [(kind: ReportFile, path: String)], more: [String]) {
    var files: [(kind: ReportFile, path: String)] = []
    var more: [String] = []
    var words = report[...]
    while let word = words.popFirst() {
      if let kind = ReportFile(rawValue: word), let path = words.popFirst() {
        files.append((kind, path))
      } else if files.isEmpty || ReportFile(rawValue: word) != nil {
        throw CommandFailure(
          usage: "--report takes a kind and a file.",
          why: "the kinds are \(ReportFile.allCases.map(\.rawValue).joined(separator: " and "))",
          next: "\(command) --report junit report.xml")
      } else {
        more.append(word)
      }
    }
    return (files, more)
  }
}
