import Essentials
import SSOCore
import SSOReading
import SSOTermApp

/// `ssoterm read` with a recording.
struct RecordingCommand {
  let command: ReadCommand
  let data: Data

  init(_ command: ReadCommand, _ data: Data) {
    self.command = command
    self.data = data
  }

  func perform(on console: Console) throws -> ExitStatus {
    let reading: RecordingReading
    do {
      reading = RecordingReader(try HARFile(data)).read()
      if let path = command.redact { try write(RecordingRedaction(data), to: path, on: console) }
    } catch let error as HARError {
      throw Self.unreadable(command.file, error)
    }
    if command.open {
      return try command.show([reading.trace], of: counted(reading.requestCount, "request"), on: console)
    }
    switch console.json ? .json : command.form {
    case .mermaid, .svg, .har, .cast, .html: console.print(exportText(reading.trace, as: command.form))
    case .json: console.print(document: reading.json(command.file))
    case .text: console.print(reading.text(console.ink))
    }
    return reading.trace.outcome?.verdict == .failed ? .finding : .done
  }

  static func unreadable(_ file: String, _ error: HARError) -> CommandFailure {
    CommandFailure(
      status: .usage, kind: "badInput", what: "\(file) is not a recording that can be read.",
      why: error.description, next: "save it again: browsers call it “Save all as HAR with content”")
  }

  /// Writes the redacted recording to a new file.
  ///
  /// A note on stderr says what was removed, so that stdout contains only the result.
  private func write(_ clean: RecordingRedaction, to path: String, on console: Console) throws {
    do throws(SystemError) { try createFile(clean.file, at: path) } catch {
      throw CommandFailure(writing: path, error)
    }
    console.note("\(path) written, without \(clean.displayText)")
  }
}

extension RecordingRedaction {
  /// The removed items as text, such as `3 cookies, 2 tokens and 1 password`.
  var displayText: String {
    let counts = Redaction.Kind.allCases.compactMap { kind in
      receipt[kind].map { counted($0, kind.noun, plural: kind.nouns) }
    }
    let all = counts + (bodies == 0 ? [] : [counted(bodies, "page or script", plural: "pages and scripts")])
    return all.isEmpty ? "a change: there was no secret in it" : all.joined(separator: ", ")
  }
}

extension Redaction.Kind {
  fileprivate var noun: String {
    switch self {
    case .token: "token"
    case .code: "code"
    case .password: "password"
    case .cookie: "cookie"
    case .header: "header"
    case .person: "name of a user"
    case .other: "other value"
    }
  }

  fileprivate var nouns: String { self == .person ? "names of users" : noun + "s" }
}

extension RecordingReading {
  /// Returns the requests, the first check that failed, and what is missing from the recording.
  func text(_ ink: TextInk) -> String {
    var heading = counted(requestCount, "request")
    if otherCount > 0 { heading += ", \(otherCount) of them not part of a sign-in" }
    if unreadable > 0 { heading += ", \(unreadable) not readable" }
    var parts = [ink.draw(heading + ".", .faint)]
    if lacksCookies {
      parts.append(
        ink.sentence(
          "No cookie and no Authorization header is in it, so sessions cannot be checked. Chrome leaves them out of “sanitized” recordings, SSOTerm out of its exports.",
          .warning))
    }
    let advice = trace.adviceLines.map { ink.sentence($0.commandLine, indent: 2) }
    let toDo =
      advice.isEmpty ? [] : [([ink.draw("To do in the app", .strong)] + advice).joined(separator: "\n")]
    let verdict = trace.verdict.map { [$0.line(ink)] } ?? []
    return (parts + [trace.detail(ink)] + toDo + verdict).joined(separator: "\n\n")
  }

  func json(_ file: String) -> JSONValue {
    [
      "file": .string(file), "requests": .count(requestCount), "others": .count(otherCount),
      "notReadable": .count(unreadable), "lacksCookies": .bool(lacksCookies),
      "verdict": trace.verdict?.json ?? .null,
      "traces": [
        trace.json.adding([
          "explanations": .array(trace.explanations.map(\.json)),
          "toDo": .strings(trace.adviceLines.map(\.commandLine)),
        ])
      ],
    ]
  }
}
