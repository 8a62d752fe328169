/// The subject of a sentence that is not in the tables, by its words: an audience, an issuer, a cookie.
///
/// The rows of `subjects.tsv` say it in general; a sentence with the words of several rows is not checked.
package struct SentenceSubject: Hashable, Sendable {
  package var meaning: String
  package var remedy: Advice

  /// Finds the subject of a sentence, or returns `nil` if it does not have exactly one.
  package init?(of sentence: String) {
    let sentence = sentence.lowercased()
    let found = Self.all.filter { words, _ in words.contains { sentence.contains($0) } }.map(\.subject)
    guard let first = found.first, found.allSatisfy({ $0 == first }) else { return nil }
    self = first
  }

  private init(_ fields: [String]) { (meaning, remedy) = (fields[1], Advice(notation: fields[2])) }

  private static let all: [(words: [String], subject: SentenceSubject)] =
    ReferenceTable("subjects.tsv").records.filter { $0.count == 3 }.map {
      (ReferenceTable.words($0[0]), SentenceSubject($0))
    }
}
