extension StringProtocol {
  /// The string without leading and trailing white space and line breaks.
  package var trimmed: String { trimming(\.properties.isWhitespace) }

  /// Returns the string without the leading and trailing scalars for which `isDropped` returns true.
  package func trimming(_ isDropped: (Unicode.Scalar) -> Bool) -> String {
    let rest = unicodeScalars.drop(while: isDropped)
    let last = rest.lastIndex { !isDropped($0) }
    return last.map { String(String.UnicodeScalarView(rest[...$0])) } ?? ""
  }
}
