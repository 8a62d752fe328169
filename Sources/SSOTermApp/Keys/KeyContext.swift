/// What takes the keys now: a screen, a dialog, or the filter of a list.
///
/// One key has one meaning in each, or several of which the first that can be run counts: Esc closes the innermost thing.
/// Screens and dialogs name their own.
struct KeyContext: Hashable, Sendable, CustomStringConvertible {
  let description: String

  init(_ name: String) { description = name }

  /// A list's filter is being typed.
  static let filter = KeyContext("filter")
}
