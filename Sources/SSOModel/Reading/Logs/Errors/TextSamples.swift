import SSOCore
import SSOReference

/// The marks of an error that a text only shows as a sample: the words that announce it, and the values that only
/// documentation has.
struct TextSamples {
  private var announcements = 0
  private var conditions = 0
  private var exampleIDs = 0
  private var placeholders: Set<Substring> = []

  /// Notes a line that is not in a block of code.
  mutating func add(_ text: String, _ lower: String) {
    let title = lower.trimming { "#*:： ".unicodeScalars.contains($0) }
    let isHeading = FailureLine.isHeading(text)
    if Self.introductions.contains(where: lower.contains)
      || Self.titles.contains(title) && (isHeading || text.hasSuffix(":"))
    {
      announcements += 1
    }
    if text.hasSuffix(":"), Self.ofConditions.contains(where: lower.hasPrefix) { conditions += 1 }
    addContent(text)
  }

  /// Notes the values of a line.
  mutating func addContent(_ text: String) {
    var rest = text[...]
    while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
      let name = rest[open..<close].dropFirst()
      // `<lamp>` may be a tag of HTML or XML.
      if name.contains(where: { " _-".contains($0) }) || name == name.uppercased(),
        name.first?.isLetter == true
      {
        placeholders.insert(name)
      }
      rest = rest[close...].dropFirst()
    }
    if text.split(whereSeparator: { !$0.isHexDigit && $0 != "-" }).contains(where: Self.isExampleID) {
      exampleIDs += 1
    }
  }

  /// Whether the text says that an error of it is a sample, or two of its marks show it.
  var isAnnounced: Bool {
    announcements > 0
      || [conditions > 0, exampleIDs > 0, placeholders.count > 1].count { $0 } > 1
  }

  /// Returns whether an identifier has the form that Microsoft's documentation gives to the identifiers of its samples,
  /// such as `00001111-aaaa-2222-bbbb-3333cccc4444`
  /// (https://learn.microsoft.com/entra/identity-platform/v2-oauth2-auth-code-flow).
  static func isExampleID(_ text: Substring) -> Bool {
    let parts = text.split(separator: "-")
    guard parts.map(\.count) == [8, 4, 4, 4, 12] else { return false }
    func runs(_ part: Substring) -> [Int] {
      var result: [Int] = []
      var last: Character?
      for character in part {
        if character == last { result[result.count - 1] += 1 } else { result.append(1) }
        last = character
      }
      return result
    }
    // Who makes up an identifier seldom changes the character within its first part.
    return runs(parts[0]).count > 1 && parts.flatMap(runs).allSatisfy { $0 > 1 }
  }

  private static let introductions = WordList.named("TextSamples.introductions")
  private static let titles = Set(WordList.named("TextSamples.titles"))
  private static let ofConditions = WordList.named("TextSamples.conditions")
}
