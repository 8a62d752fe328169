/// A format in which a trace can be written.
package enum ExportForm: Character, CaseIterable, Sendable {
  case text = "t"
  case mermaid = "m"
  case json = "J"
  case svg = "s"
  case har = "h"
  case cast = "c"

  package var word: String {
    switch self {
    case .text: "text"
    case .mermaid: "mermaid"
    case .json: "json"
    case .svg: "svg"
    case .har: "har"
    case .cast: "cast"
    }
  }

  /// All formats, for use in a sentence.
  package static let words = "text, mermaid, json, svg, har or cast"

  /// Whether several traces form a single document, one below the other.
  package var isText: Bool { self == .text || self == .mermaid }

  var fileEnding: String {
    switch self {
    case .text: "txt"
    case .mermaid: "mmd"
    case .json: "json"
    case .svg: "svg"
    case .har: "har"
    case .cast: "cast"
    }
  }
}
