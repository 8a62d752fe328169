import Essentials

/// Writes a trace into the present folder, never over a file that is there.
/// - Returns: where it went, in words.
func export(_ trace: Trace, as form: ExportForm) throws -> String {
  let name = try writeNew("trace-\(trace.summary.id)", form.fileEnding, exportText(trace, as: form) + "\n")
  let remark = exportRemark(trace, as: form).map { " But \($0)." } ?? ""
  return "Written to \(name), secrets masked.\(remark)"
}

/// Writes a file of one's own that was not there before, with a number if the name is taken.
func writeNew(_ stem: String, _ ending: String, _ text: String) throws -> String {
  for number in 1...99 {
    let name = stem + (number == 1 ? "" : "-\(number)") + "." + ending
    let file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
    if file < 0, errno == EEXIST { continue }
    guard file >= 0 else { throw ExportError(name: name, reason: String(cString: strerror(errno))) }
    defer { close(file) }
    do throws(SystemError) {
      try StandardStreams.write(text, to: file)
    } catch {
      unlink(name)
      throw ExportError(name: name, reason: error.words)
    }
    return name
  }
  throw ExportError(name: "\(stem).\(ending)", reason: "there are 99 such files already")
}

/// A trace as a document: for people, for Mermaid, for programs, as a picture, its requests as a recording, or played in a terminal.
package func exportText(_ trace: Trace, as form: ExportForm) -> String {
  switch form {
  case .text: traceText(trace, Ink())
  case .mermaid: mermaid(trace)
  case .json: trace.json.text(.document)
  case .svg: TraceSVG(trace).text
  case .har: TraceHAR(trace: trace).text
  case .cast: TraceCast(trace: trace).text
  }
}

/// What the document does not say by itself; nil: nothing.
package func exportRemark(_ trace: Trace, as form: ExportForm) -> String? {
  form == .har && TraceHAR(trace: trace).isEmpty
    ? "the call made no request to the provider: the recording is empty" : nil
}

struct ExportError: Error, CustomStringConvertible {
  var name: String
  var reason: String
  var description: String { "\(name) cannot be written: \(reason)." }
}
