/// The input and output of a plain session: a terminal or a test.
package struct PlainTerminal {
  /// The event that ended the wait for a line.
  package enum LineInput: Equatable, Sendable {
    case line(String)
    /// One of the given descriptors is readable.
    case news
    /// The user closed the input.
    case end
  }

  /// A closure that prints a line.
  var say: (String) -> Void
  /// A closure that prompts for a line, and waits for the line or for one of the descriptors.
  var hear: (String, [Int32]) -> LineInput
  /// A closure that presents a flow's prompt as numbered lines.
  ///
  /// If the second argument is true, the user may postpone the answer, which returns `nil`.
  var answer: (Prompt, Bool) -> Answer?

  package init(
    say: @escaping (String) -> Void, hear: @escaping (String, [Int32]) -> LineInput,
    answer: @escaping (Prompt, Bool) -> Answer?
  ) {
    (self.say, self.hear, self.answer) = (say, hear, answer)
  }
}
