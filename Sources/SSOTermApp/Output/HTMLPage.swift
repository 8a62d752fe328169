import SSOCore
import SSOLab
import SSOServer

/// A self-contained HTML page: without scripts or requests, and with every text from outside escaped.
package struct HTMLPage {
  package let text: String

  package init(_ title: String, _ body: Markup) {
    text =
      Markup.page(
        "\(title)", heading: "\(title)", style: Markup(stringLiteral: Self.style),
        meta: """
          <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
          """, footer: "Made by ssoterm \(programVersion); secrets are masked.", body
      ).html
  }

  private static let style = """
    :root { --ink: #1f2328; --dim: #59636e; --paper: #fff; --line: #c8ccd1; --good: #1a7f37; --bad: #b3261e; --tint: #f6f8fa }
    @media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --dim: #9198a1; --paper: #0d1117; --line: #3d444d;
      --good: #57d364; --bad: #ff9b8f; --tint: #151b23 } }
    * { box-sizing: border-box }
    body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif }
    main, footer { max-width: 75rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere }
    footer, small, .dim { color: var(--dim) }
    h1 { font-size: 1.5rem; line-height: 1.25 } h2 { font-size: 1.2rem; margin-top: 2rem }
    table { border-collapse: collapse; width: 100% } th { text-align: left }
    th, td { border-bottom: 1px solid var(--line); padding: .25rem .5rem; vertical-align: top }
    figure { margin: 0; overflow-x: auto; border: 1px solid var(--line) }
    pre { background: var(--tint); padding: .75rem; overflow-x: auto; font: .85rem/1.4 ui-monospace, monospace }
    details { border-bottom: 1px solid var(--line); padding: .25rem 0 } summary { cursor: pointer }
    details > :not(summary) { margin-left: 1.25rem }
    .good { color: var(--good) } .bad { color: var(--bad) }
    a { color: inherit } :focus-visible { outline: 3px solid var(--dim); outline-offset: 2px }
    """
}

extension HTMLPage {
  /// Creates the page of a trace: the outcome, the sequence, and each step with the values that were sent and the
  /// checks that ran.
  package init(_ trace: Trace) {
    let undone = trace.summary.isUndone ? " (undone)" : ""
    let at = trace.summary.at == Instant(0) ? "" : trace.summary.at.iso8601
    self.init(trace.summary.title + undone, "<p class=\"dim\">\(at)</p>\(Markup.trace(trace))")
  }

  /// Creates the page of a report: a section for each suite, and a row for each case.
  package init(_ title: String, _ suites: [ReportSuite]) {
    let failed = suites.flatMap(\.cases).count { $0.failure != nil }
    let sections: [Markup] = suites.map { suite in
      let rows: [Markup] = suite.cases.map { one in
        let details: Markup =
          if let failure = one.failure {
            "<span class=\"bad\">✗</span> \(one.name)<br>\(failure.message)<pre>\(lines: failure.text)</pre>"
          } else if let reason = one.skipped {
            "- \(one.name)<br><span class=\"dim\">\(reason)</span>"
          } else {
            "<span class=\"good\">✓</span> \(one.name)"
          }
        return "<li>\(details)</li>"
      }
      let properties: [Markup] = suite.properties.map { "<tr><th>\($0.name)</th><td>\($0.value)</td></tr>" }
      let table: Markup? = properties.isEmpty ? nil : "<table>\(properties)</table>"
      let output: Markup? =
        suite.output.isEmpty
        ? nil : "<details><summary>What was observed</summary><pre>\(lines: suite.output)</pre></details>"
      return "<section><h2>\(suite.name)</h2><ul>\(rows)</ul>\(table)\(output)</section>"
    }
    self.init(
      title,
      "<p>\(counted(suites.flatMap(\.cases).count, "case")), \(counted(failed, "failure")).</p>\(sections)")
  }
}

extension Markup {
  /// Returns the outcome of a trace, its sequence as a drawing, and its steps, which open one at a time.
  package static func trace(_ trace: Trace) -> Markup {
    let outcome: Markup? = trace.outcome.map { outcome in
      let isGood = outcome.verdict == .succeeded
      let text: Markup? = outcome.errorText.map { "<pre>\(lines: $0)</pre>" }
      return """
        <p class="\(isGood ? "good" : "bad")"><strong>\(isGood ? "✓" : "✗") \(outcome.summary)</strong></p>\(text)
        """
    }
    let steps: [Markup] = trace.hops.indices.map { step(trace, $0) }
    return """
      \(outcome)<h2>Sequence</h2>
      <figure>\(Markup(stringLiteral: TraceSVG(trace).element))</figure>
      <h2>Steps</h2>
      \(steps)
      """
  }

  private static func step(_ trace: Trace, _ index: Int) -> Markup {
    let hop = trace.hops[index]
    let failed = hop.checks.firstFailure != nil
    let sent: [Markup] = hop.sent.map { "<tr><th>\($0.name)</th><td>\($0.value)</td></tr>" }
    let table: Markup? = sent.isEmpty ? nil : "<table>\(sent)</table>"
    let checks: [Markup] = hop.checks.map { check in
      let color = check.verdict == .failed ? "bad" : check.verdict == .passed ? "good" : "dim"
      return """
        <li><span class="\(color)">\(verdictText(check).text)</span> \(check.displayText) <small>\(check.source)</small></li>
        """
    }
    let list: Markup? = checks.isEmpty ? nil : "<ul>\(checks)</ul>"
    let note: Markup? = trace.notes[index].map { "<p>\($0)</p>" }
    let result = hop.result.isEmpty ? "" : " = " + hop.result
    let mark: Markup? = failed ? "<span class=\"bad\">✗</span> " : nil
    let before: Markup? = index == 0 ? nil : "<a href=\"#step-\(index)\">← \(index)</a>"
    let after: Markup? =
      index + 1 == trace.hops.count ? nil : "<a href=\"#step-\(index + 2)\">\(index + 2) →</a>"
    return """
      <details name="step"><summary>\(index + 1). \(mark)\(hop.from.label) → \(hop.to.label): \(hop.action)\(result)</summary>
      <p id="step-\(index + 1)" class="dim">\(hop.actor) \(before) \(after)</p>\(table)\(list)\(note)</details>
      """
  }
}
