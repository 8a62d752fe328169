extension StringProtocol {
  /// The text without white space and line ends at its ends.
  package var trimmed: String { trimming(\.properties.isWhitespace) }

  /// The text without the scalars at its ends that `isDropped` names.
  package func trimming(_ isDropped: (Unicode.Scalar) -> Bool) -> String {
    let rest = unicodeScalars.drop(while: isDropped)
    let last = rest.lastIndex { !isDropped($0) }
    return last.map { String(String.UnicodeScalarView(rest[...$0])) } ?? ""
  }
}
