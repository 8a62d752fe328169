import Essentials
import SSOCore

/// Writes a trace to the current folder, and never overwrites an existing file.
/// - Returns: A sentence that says where it was written.
func export(_ trace: Trace, as form: ExportForm) throws -> String {
  let name = try writeNew("trace-\(trace.summary.id)", form.fileEnding, exportText(trace, as: form) + "\n")
  let remark = exportRemark(trace, as: form).map { " But \($0)." } ?? ""
  return "Written to \(name), secrets masked.\(remark)"
}

/// Writes a new private file, with a number in its name if the name is taken, and returns its name.
func writeNew(_ stem: String, _ ending: String, _ text: String) throws -> String {
  for number in 1...99 {
    let name = stem + (number == 1 ? "" : "-\(number)") + "." + ending
    do throws(SystemError) {
      try createFile(Data(text.utf8), at: name)
      return name
    } catch {
      guard error.code == EEXIST else { throw ExportError(name: name, reason: error.displayText) }
    }
  }
  throw ExportError(name: "\(stem).\(ending)", reason: "there are 99 such files already")
}

/// Returns a trace as a document: as text, Mermaid, JSON, an image, a recording of its requests, a terminal
/// recording, or a page.
package func exportText(_ trace: Trace, as form: ExportForm) -> String {
  switch form {
  case .text: traceText(trace, TextInk())
  case .mermaid: mermaid(trace)
  case .json: trace.json.documentText
  case .svg: TraceSVG(trace).text
  case .har: TraceHAR(trace: trace).text
  case .cast: TraceCast(trace: trace).text
  case .html: HTMLPage(trace).text
  }
}

/// Returns a remark that the document itself does not contain, or `nil` if there is none.
package func exportRemark(_ trace: Trace, as form: ExportForm) -> String? {
  form == .har && TraceHAR(trace: trace).isEmpty
    ? "the call made no request to the provider: the recording is empty" : nil
}

struct ExportError: Error, CustomStringConvertible {
  var name: String
  var reason: String
  var description: String { "\(name) cannot be written: \(reason)." }
}

/// A format in which a trace can be written.
package enum ExportForm: Character, CaseIterable, Sendable {
  case text = "t"
  case mermaid = "m"
  case json = "J"
  case svg = "s"
  case har = "h"
  case cast = "c"
  case html = "w"

  package var word: String {
    switch self {
    case .text: "text"
    case .mermaid: "mermaid"
    case .json: "json"
    case .svg: "svg"
    case .har: "har"
    case .cast: "cast"
    case .html: "html"
    }
  }

  /// All formats, for use in a sentence.
  package static let displayText = "text, mermaid, json, svg, har, cast or html"

  /// Whether several traces form a single document, one below the other.
  package var isText: Bool { self == .text || self == .mermaid }

  var fileEnding: String {
    switch self {
    case .text: "txt"
    case .mermaid: "mmd"
    default: word
    }
  }
}
