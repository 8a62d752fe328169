/// The command that opens the user's editor at a line of a file.
struct EditorCommand: Equatable {
  /// The value of `VISUAL` or `EDITOR`, which may contain options.
  private let editor: String
  /// The command line for `sh -c`, which git uses to run an editor too.
  let line: String

  init(_ place: FilePlace, variable: (String) -> String?) {
    editor = ["VISUAL", "EDITOR"].lazy.compactMap(variable).first { !$0.isEmpty } ?? "vi"
    let name = fileName(editor.split(separator: " ").first.map(String.init) ?? editor)
    // Prevent the editor from taking a name that begins with a dash for an option.
    let path = place.path.hasPrefix("-") ? "./" + place.path : place.path
    let words =
      switch (name, place.line) {
      case (_, nil): [path]
      case ("code", let line?), ("codium", let line?): ["-g", "\(path):\(line)"]
      case ("hx", let line?), ("helix", let line?), ("subl", let line?), ("zed", let line?):
        ["\(path):\(line)"]
      case (_, let line?): ["+\(line)", path]
      }
    // Standard input and output may be pipes, but the editor needs the terminal.
    line = "exec </dev/tty >/dev/tty 2>&1; \(editor) " + words.map(shellWord).joined(separator: " ")
  }

  /// Returns the message to show for the editor's exit status, or `nil` if there is none.
  func problem(status: Int32) -> String? {
    switch status {
    case 0: nil
    case 126, 127: "\(editor) cannot be run: EDITOR names the editor."
    default: "\(editor) ended with status \(status)."
    }
  }
}
