/// The words of code that read Info.plist.
enum InfoKey {
  static let names = ["forInfoDictionaryKey", "infoDictionary", "objectForInfoDictionaryKey"]
}

extension ArraySlice<SourceToken> {
  /// The key of Info.plist that an expression at the beginning of the tokens reads, or `nil` for any other expression.
  ///
  /// `bundle.object(forInfoDictionaryKey: "Key")`, `Bundle.main.infoDictionary?["Key"]`, and
  /// `[[NSBundle mainBundle] objectForInfoDictionaryKey:@"Key"]`.
  var infoKey: String? {
    for index in indices {
      let token = self[index]
      if let word = token.word, InfoKey.names.contains(word) {
        let rest = self[(index + 1)...].drop { token in
          ["?", "!", "[", ":", "@", "]"].contains { token.isSymbol($0) }
        }
        return rest.first?.text
      }
      // Two words side by side are two statements, except in a call of Objective-C.
      if token.word != nil, index > startIndex, self[index - 1].word != nil,
        self[index - 1].word != "NSBundle"
      {
        return nil
      }
      let isPart = token.word != nil || [".", "?", "!", "]", "("].contains { token.isSymbol($0) }
      guard isPart, token.line - self[startIndex].line < 3 else { return nil }
    }
    return nil
  }
}
