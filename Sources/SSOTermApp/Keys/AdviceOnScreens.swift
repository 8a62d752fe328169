/// The model's advice, adapted to the screens.
///
/// The advice contains commands of `ssoterm`, as a user types them. Each command is found by its words and replaced
/// with the key or the screen that does the same. Its arguments are removed too, because on a screen the selection
/// takes their place.
struct AdviceOnScreens {
  private let words: [String]
  private let place: String
  /// Whether the arguments stay, because the palette takes them.
  private let keepsArguments: Bool

  private init(_ command: String, _ place: String) {
    words = command.split(separator: " ").map(String.init)
    self.place = place
    keepsArguments = place.hasPrefix(":")
  }

  /// All replacements, with the longer one first if two commands begin alike.
  private static let all: [AdviceOnScreens] =
    [
      .init("signin", "{signin} on the app"), .init("silent", "{silent} on the app"),
      .init("signout", "{signout} on the app"), .init("why", "{why} on the app"),
      .init("explain", ":explain"), .init("undo", "{undo}"), .init("clock reset", "{clock reset}"),
      .init("registration set", ":registration set"), .init("apps", "{apps} Apps"),
      .init("accounts", "{accounts} Accounts"), .init("tokens", "{tokens} Tokens"),
      .init("keychain", "{keychain} Keychain"), .init("trace list", "{trace} Trace"),
      .init("trace show", "{trace} Trace"), .init("journal", "{trace} Trace"),
      .init("fault list", "{faults} Provider"), .init("fault add token", "{faults} Provider"),
      .init("fault add", "{faults} Provider"), .init("scenario list", "{scenarios} Scenarios"),
      .init("status", "{lab} Lab"), .init("broker install", "{lab} Lab, on the device"),
    ]
    + (RecordKind.allCases.map(\.rawValue)).flatMap { kind in
      ["list", "show", "set", "add", "remove"].map { .init("\(kind) \($0)", "{lab} Lab") }
    }

  /// Returns the advice with keys and screens in place of commands.
  ///
  /// The caller fills in the `{names}` in it.
  static func text(_ advice: String) -> String {
    guard advice.contains(program) else { return advice }
    let pieces = advice.split(separator: program, omittingEmptySubsequences: false)
    return pieces.dropFirst().reduce(String(pieces[0])) { $0 + replaced($1) }
  }

  private static let program = "ssoterm "

  /// Replaces the command with which `piece` begins.
  private static func replaced(_ piece: Substring) -> String {
    let words = piece.split(separator: " ", omittingEmptySubsequences: false)
    guard let found = all.first(where: { $0.begins(words) }) else { return program + piece }
    var count = found.words.count
    if !found.keepsArguments {
      while !words[count - 1].endsClause, count < words.count,
        words[count].isArgument || words[count - 1].hasPrefix("--")
      {
        count += 1
      }
    }
    let ending = words[count - 1].reversed().prefix { ".;,)".contains($0) }.reversed()
    return ([found.place + String(ending)] + words.dropFirst(count).map(String.init)).joined(separator: " ")
  }

  private func begins(_ words: [Substring]) -> Bool {
    guard words.count >= self.words.count else { return false }
    return zip(self.words, words).enumerated().allSatisfy { number, pair in
      pair.0 == pair.1 || number == self.words.count - 1 && pair.0 == pair.1.withoutEnding
    }
  }
}

extension Substring {
  fileprivate var endsClause: Bool { last.map { ".;,)".contains($0) } ?? true }

  fileprivate var withoutEnding: Substring {
    dropLast(reversed().prefix { ".;,)".contains($0) }.count)
  }

  /// Whether the word is an argument and not a word of the sentence: `APP`, `ada@contoso.com`, `platform=iOS`,
  /// `--times`, `device-1`.
  fileprivate var isArgument: Bool {
    let word = withoutEnding
    let isName = word.count > 1 && word.allSatisfy { $0.isUppercase || $0 == "_" }
    return isName || word.hasPrefix("-") || word.contains { "@=/.…:".contains($0) || $0.isNumber }
  }
}
