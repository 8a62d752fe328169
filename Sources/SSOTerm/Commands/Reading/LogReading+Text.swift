extension LogReading {
  /// The maximum number of calls to show in full.
  ///
  /// If there are more, they are listed, and only the first failed call is shown.
  private static let mostInFull = 5

  /// Returns the calls, the meanings of their codes, and what was not recognised.
  func text(withLines: Bool, _ ink: Ink) -> String {
    var parts = [ink.draw(heading, .faint)]
    if traces.count > Self.mostInFull {
      parts.append(table(ink))
      if let failed = traces.first(where: { $0.outcome?.verdict == .failed }) {
        parts += [ink.draw("The first that failed:", .faint), failed.story(ink)]
      }
      parts.append(ink.draw("--only ID shows one call; --as json all of them.", .faint))
    } else {
      parts += traces.map { $0.story(ink) }
    }
    if withLines, !unknown.isEmpty {
      let rows = unknown.map { ink.draw("\($0.number)  ", .faint) + ink.draw($0.text) }
      parts.append(([ink.draw("Not recognised:", .strong)] + rows).joined(separator: "\n"))
    }
    return parts.joined(separator: "\n\n")
  }

  private var heading: String {
    let kinds = LogKind.allCases.compactMap { kind in counts[kind].map { "\($0) of \(kind.words)" } }
    var words = "\(counted(lineCount, "line")): \(kinds.joined(separator: ", "))"
    words += unknownCount == 0 ? "" : "; \(unknownCount) not recognised (--lines shows the first)"
    words += ". \(counted(traces.count, "call"))"
    words += callsLeftOut == 0 ? "." : ", and \(callsLeftOut) older ones without a failure."
    return words
  }

  private func table(_ ink: Ink) -> String {
    return TextTable(["#", "AT", "WHAT", "CORRELATION ID", "HOPS", "OUTCOME"], of: traces) { trace in
      let summary = trace.summary
      let tone: Tone =
        switch trace.outcome?.verdict {
        case .succeeded: .good
        case .failed: .bad
        case .cancelled, nil: .faint
        }
      return [
        InkedText(String(summary.id), .strong), InkedText(summary.at.seconds == 0 ? "-" : summary.at.iso8601),
        InkedText(summary.title), InkedText(dashed(summary.correlationID)),
        InkedText(String(summary.hopCount)),
        InkedText(summary.summary, tone),
      ]
    }.text(ink)
  }

  func json(_ file: String, withLines: Bool) -> JSONValue {
    let kinds = Dictionary(uniqueKeysWithValues: counts.map { ($0.key.rawValue, JSONValue.count($0.value)) })
    let first = unknown.map { JSONValue.object(["line": .count($0.number), "text": .string($0.text)]) }
    return [
      "file": .string(file), "lines": .count(lineCount), "kinds": .object(kinds),
      "notRecognised": ["count": .count(unknownCount), "first": .array(withLines ? first : [])],
      "callsLeftOut": .count(callsLeftOut), "newestFirst": .bool(isNewestFirst),
      "traces": .array(
        traces.map { $0.json.adding(["explanations": .array($0.explanations.map(\.json))]) }),
    ]
  }
}

extension Trace {
  /// Returns the trace as `trace show` prints it, and the meanings of the codes of its failure.
  func story(_ ink: Ink) -> String {
    ([traceText(self, ink)] + explanations.flatMap { $0.lines(ink) }).joined(separator: "\n")
  }
}
