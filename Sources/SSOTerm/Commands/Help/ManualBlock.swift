/// A part of the manual, independent of whether it is printed as text or as a manual page.
///
/// Text between backticks in its strings is what the user types or reads literally.
enum ManualBlock: Equatable {
  case heading(String)
  case paragraph(String)
  /// Lines that are not filled.
  case literal([String])
  case list([ManualItem])
}

/// A term with its explanation.
struct ManualItem: Equatable {
  var term: String
  var blocks: [ManualBlock]

  init(_ term: String, _ blocks: [ManualBlock]) { (self.term, self.blocks) = (term, blocks) }

  init(_ term: String, _ text: String) { self.init(term, [.paragraph(text)]) }
}

extension [ManualBlock] {
  /// Creates the blocks of a file of `assets/manual`.
  ///
  /// The file is Markdown with headings, paragraphs, indented literal lines, and the definition lists of Pandoc's
  /// Markdown (https://pandoc.org/MANUAL.html#definition-lists).
  ///
  /// A paragraph `@NAME@` is replaced by the blocks that `insertion` returns for the name.
  init(markdown text: String, insertion: (String) -> [ManualBlock] = { _ in [] }) {
    self = []
    for part in text.split(separator: "\n\n") {
      let lines = part.split(separator: "\n").map(String.init)
      guard let first = lines.first else { continue }
      if first.hasPrefix("# ") {
        append(.heading(String(first.dropFirst(2))))
      } else if first.hasPrefix("    ") {
        append(.literal(lines.map { String($0.dropFirst(4)) }))
      } else if first.hasPrefix("@"), first.hasSuffix("@") {
        append(contentsOf: insertion(String(first.dropFirst().dropLast())))
      } else if lines.count == 2, lines[1].hasPrefix(":   ") {
        add(ManualItem(first, String(lines[1].dropFirst(4))))
      } else {
        append(.paragraph(lines.joined(separator: " ")))
      }
    }
  }

  /// Reads the discussion of a command's help: paragraphs, and lines indented by two spaces, which are literal.
  init(discussion text: String) {
    self = []
    for part in text.split(separator: "\n\n") {
      for line in part.split(separator: "\n").map(String.init) {
        if line.hasPrefix("  ") {
          add(literal: String(line.dropFirst(2)))
        } else {
          append(.paragraph(line))
        }
      }
    }
  }

  private mutating func add(_ item: ManualItem) {
    if case .list(let items) = last {
      self[count - 1] = .list(items + [item])
    } else {
      append(.list([item]))
    }
  }

  private mutating func add(literal line: String) {
    if case .literal(let lines) = last {
      self[count - 1] = .literal(lines + [line])
    } else {
      append(.literal([line]))
    }
  }
}
