import Essentials
import SSODevice

/// A reader of Dart's tokens as they are on one platform: of `Platform.isIOS ? a : b` only the branch that applies.
enum DartTokens {
  private static let platforms: [String: Platform] = [
    "isIOS": .iOS, "isMacOS": .macOS, "isAndroid": .android,
  ]
  /// The maximum number of tokens in a branch.
  private static let branchLimit = 12

  static func read(_ data: Data, on platform: Platform) -> [SourceToken] {
    let tokens = SourceTokens.read(String(decoding: data, as: UTF8.self))
    var read: [SourceToken] = []
    var rest = tokens[...]
    while let token = rest.first {
      if token.word == "Platform", let (branch, after) = branch(of: rest, on: platform) {
        read += branch
        rest = after
      } else {
        read.append(token)
        rest.removeFirst()
      }
    }
    return read
  }

  /// Returns the branch of `Platform.isIOS ? a : b` for a platform, and the tokens after it, or `nil` for another expression.
  private static func branch(
    of tokens: ArraySlice<SourceToken>, on platform: Platform
  ) -> (branch: ArraySlice<SourceToken>, after: ArraySlice<SourceToken>)? {
    let start = tokens.startIndex
    guard tokens.count > 6, tokens[start + 1].isSymbol("."), tokens[start + 3].isSymbol("?"),
      let own = tokens[start + 2].word.flatMap({ platforms[$0] })
    else { return nil }
    let first = tokens[(start + 4)...].prefix(branchLimit).prefix { !isEnd($0) && !$0.isSymbol(":") }
    guard first.endIndex < tokens.endIndex, tokens[first.endIndex].isSymbol(":") else { return nil }
    let second = tokens[(first.endIndex + 1)...].prefix(branchLimit).prefix { !isEnd($0) }
    guard second.endIndex < tokens.endIndex, isEnd(tokens[second.endIndex]) else { return nil }
    return (own == platform ? first : second, tokens[second.endIndex...])
  }

  private static func isEnd(_ token: SourceToken) -> Bool {
    [",", ";", ")"].contains { token.isSymbol($0) }
  }
}
