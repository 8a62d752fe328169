/// The part of the program that receives the keys: a screen, a dialog, or the filter of a list.
///
/// A key has one meaning in each context, or several of which the first available one applies, so that Esc closes the
/// innermost thing. Screens and dialogs define their own contexts.
struct KeyContext: Hashable, Sendable, CustomStringConvertible {
  let description: String

  init(_ name: String) { description = name }

  /// The filter of a list, while the user types it.
  static let filter = KeyContext("filter")
}
