/// The person's editor, opened at a line of a file.
struct EditorCommand: Equatable {
  /// `VISUAL` or `EDITOR`, which may have options.
  private let editor: String
  /// For `sh -c`, as git runs it too.
  let line: String

  init(_ place: FilePlace, variable: (String) -> String?) {
    editor = ["VISUAL", "EDITOR"].lazy.compactMap(variable).first { !$0.isEmpty } ?? "vi"
    let name = fileName(editor.split(separator: " ").first.map(String.init) ?? editor)
    // A name that begins with a dash is no option.
    let path = place.path.hasPrefix("-") ? "./" + place.path : place.path
    let words =
      switch (name, place.line) {
      case (_, nil): [path]
      case ("code", let line?), ("codium", let line?): ["-g", "\(path):\(line)"]
      case ("hx", let line?), ("helix", let line?), ("subl", let line?), ("zed", let line?):
        ["\(path):\(line)"]
      case (_, let line?): ["+\(line)", path]
      }
    // Standard input and output may be pipes; the terminal is the editor's.
    line = "exec </dev/tty >/dev/tty 2>&1; \(editor) " + words.map(shellWord).joined(separator: " ")
  }

  /// What the person has to know of how it ended; nil: nothing.
  func problem(status: Int32) -> String? {
    switch status {
    case 0: nil
    case 126, 127: "\(editor) cannot be run: EDITOR names the editor."
    default: "\(editor) ended with status \(status)."
    }
  }
}
