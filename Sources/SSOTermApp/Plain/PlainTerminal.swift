/// Where a plain session asks and answers: a terminal, or a test.
package struct PlainTerminal {
  /// What came while a line was awaited.
  package enum Heard: Equatable, Sendable {
    case line(String)
    /// One of the descriptors that were named is readable.
    case news
    /// The person closed the input.
    case end
  }

  /// Says a line.
  var say: (String) -> Void
  /// Asks for a line, and waits for it or for one of the descriptors.
  var hear: (String, [Int32]) -> Heard
  /// Asks what a flow asks, in numbered lines; true: the person may put it off, which is nil.
  var answer: (Prompt, Bool) -> Answer?

  package init(
    say: @escaping (String) -> Void, hear: @escaping (String, [Int32]) -> Heard,
    answer: @escaping (Prompt, Bool) -> Answer?
  ) {
    (self.say, self.hear, self.answer) = (say, hear, answer)
  }
}
