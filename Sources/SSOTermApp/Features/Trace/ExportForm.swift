/// What a trace is written as.
package enum ExportForm: Character, CaseIterable, Sendable {
  case text = "t"
  case mermaid = "m"
  case json = "J"

  package var word: String {
    switch self {
    case .text: "text"
    case .mermaid: "mermaid"
    case .json: "json"
    }
  }

  var fileEnding: String {
    switch self {
    case .text: "txt"
    case .mermaid: "mmd"
    case .json: "json"
    }
  }
}
