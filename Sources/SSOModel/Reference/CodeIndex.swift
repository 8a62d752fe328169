extension Explanation {
  /// Finds the explanations of a code, a name, or an entire printed error that contains codes.
  ///
  /// `-50000` and `MSALErrorInternal` are the same; `50011` is `AADSTS50011`; `0xCAA20003`, `3399614467`,
  /// `-895352829` and `0xffffffffcaa20003` are the same. A number that may be in a text for other reasons
  /// counts only if it is alone or next to a word such as `code`. Everyday words are not codes; a text that
  /// begins with `state expired` refers to a state of the lists. An error that is printed without its code is
  /// found by its sentence. The result is in order of appearance, without duplicates.
  package static func find(in text: String) -> [Explanation] { matches(in: text).map(\.explanation) }

  /// An explanation, and how a text refers to it.
  package struct Match: Sendable {
    package var explanation: Explanation
    /// Whether the text contains only the code's name, or a part of it.
    package var isName: Bool
    /// Whether the code is not in the tables, and the explanation is that of its family.
    package var isOfFamily: Bool
    /// The words of the text that stand for the code.
    package var quotation: String
    /// The place of these words in the text, in bytes.
    package var place: Range<Int>
    /// The word before them, in lowercase, or an empty string.
    package var wordBefore: String
  }

  /// Finds the explanations of ``find(in:)``, with how the text refers to them.
  package static func matches(in text: String) -> [Match] {
    let words = CodeWord.words(of: text)
    var found: [(entry: CodeIndex.Entry, words: Range<Int>, before: String)] = []
    func take(_ entry: CodeIndex.Entry, _ count: Int, at position: Int) {
      guard !found.contains(where: { $0.entry == entry }) else { return }
      let place = words[position].place.lowerBound..<words[position + count - 1].place.upperBound
      if entry.isLikePath ? isInPath(text, place) : isInPackage(text, place) { return }
      found.append((entry, place, position > 0 ? words[position - 1].text : ""))
    }
    var sentenceEnd = 0
    for (position, word) in words.enumerated() {
      if let (entry, count) = CodeIndex.shared.sentence(words[position...]),
        // Beside a number, a sentence of Entra says nothing more, unless it is one of the number's own kinds.
        entry.family != .aadsts || !text.contains("AADSTS")
          || text.contains(entry.explanation.code.dropLast() + ":")
      {
        take(entry, count, at: position)
        sentenceEnd = max(sentenceEnd, position + count)
      }
      if word.text == "sign_in_failed", let (entry, count) = CodeIndex.shared.googleError(words[position...])
      {
        take(entry, count, at: position)
        continue
      }
      for entry in CodeIndex.shared.entries(for: word)
      where counts(entry, words, at: position)
        || entry.isBare && entry.family == .aadsts && ErrorLabel.ends(text.utf8.prefix(word.place.lowerBound))
      {
        // `a0.session.user_cancelled` is not another library's `user_cancelled`, and -4 of `com.google.GIDSignIn error -4`
        // not a number of the keychain.
        if position < sentenceEnd, [.library, .keychain, .network].contains(entry.family) { continue }
        take(entry, 1, at: position)
      }
    }
    return found.map { entry, words, before in
      Match(
        explanation: entry.explanation, isName: entry.isName, isOfFamily: entry.ending != nil,
        quotation: String(decoding: text.utf8.dropFirst(words.lowerBound).prefix(words.count), as: UTF8.self),
        place: words, wordBefore: before)
    }
  }

  /// Returns whether a line may have a code or a sentence of the tables, which is faster to say than where it is.
  package static func mayOccur(in line: UnsafeBufferPointer<UInt8>) -> Bool {
    CodeIndex.shared.filter?.accepts(line) ?? true
  }

  private static func counts(_ entry: CodeIndex.Entry, _ words: [CodeWord], at position: Int) -> Bool {
    // `this is -50000 and not MSALErrorInteractionRequired`
    if position > 0, words[position - 1].text == "not" { return false }
    // `Cannot read properties of undefined (reading 'lamp')` names a member of an object.
    if position > 1, words[position - 1].text == "reading",
      ["undefined", "null"].contains(words[position - 2].text)
    {
      return false
    }
    // `no keychain error -25300 any more`
    if position > 2, words[position - 1].text == "error", words[position - 3].text == "no" { return false }
    // `AssertionError: expected LampError to equal DeskError`
    if position > 1, ["equal", "be"].contains(words[position - 1].text), words[position - 2].text == "to",
      words[..<position].contains(where: { $0.text == "expected" })
    {
      return false
    }
    // `it doesn't throw a MsalUiRequiredException`
    let before = words[max(0, position - 4)..<position].map(\.text)
    if let verb = before.firstIndex(where: ["throw", "throws", "thrown", "throwing"].contains), verb > 0,
      ["not", "t", "never"].contains(before[verb - 1])
    {
      return false
    }
    if !entry.isName, let domain = domain(of: words, at: position),
      let own = CodeWord.domains(of: entry.family),
      !domain.contains(where: { word in own.contains { word.text.contains($0) } })
    {
      return false
    }
    switch entry.family {
    case .state: return position == 1 && words[0].text == "state"
    case .webSession: return entry.isName || words.contains { CodeWord.webSessions.contains($0.text) }
    case .adal where !entry.isName:
      return words.contains { $0.text == "adauthenticationerrordomain" }
    // The statuses of Intune's SDK, which are those of HTTP, too.
    case .library where entry.isAmbiguous && words[position].text.utf8.count == 3:
      func namesIntune(_ word: CodeWord) -> Bool { CodeWord.ofIntune.contains { word.text.hasPrefix($0) } }
      guard position > 0, words.contains(where: namesIntune) else { return false }
      return namesIntune(words[position - 1]) || CodeWord.introductions.contains(words[position - 1].text)
    default:
      guard entry.isAmbiguous else { return true }
      // `MSALErrorDomain error 50000`
      let isOfApple = words[max(0, position - 2)..<position].contains {
        $0.text == "nsdomainerror" || $0.text == "msalerrordomain"
      }
      if entry.family == .aadsts, isOfApple { return false }
      if entry.isBare, !countsBare(entry, words, at: position) { return false }
      // The numbers of other libraries are negative too.
      let isSmall = entry.family == .keychain && words[position].text.count < 5
      if entry.family == .network || isSmall, !namesAppleDomain(words),
        words.count > 3 || words.contains(where: { $0.text.hasSuffix("errordomain") })
      {
        return false
      }
      // In `"error_codes":[50076,50079]` the second number follows the first.
      var before = position
      while before > 0, words[before - 1].isNumber, words[before - 1].text.utf8.count > 4 { before -= 1 }
      // `error code(s) from server: [50011]`
      let gap = words[max(0, before - 3)..<before].reversed().prefix { CodeWord.fillers.contains($0.text) }
        .count
      if gap < before { before -= gap }
      guard before == 0 else {
        // `returns 13007 error`
        return CodeWord.introductions.contains(words[before - 1].text)
          || position + 1 < words.count && words[position + 1].text == "error"
          || position + 1 == words.count
            && words[..<before].allSatisfy { CodeWord.products.contains($0.text) }
      }
      let after = words.dropFirst().first { !$0.isNumber }
      return after.map { CodeWord.introductions.contains($0.text) } ?? true
    }
  }

  /// Returns whether a number without the letters or the minus sign of its code can be the code.
  private static func countsBare(_ entry: CodeIndex.Entry, _ words: [CodeWord], at position: Int) -> Bool {
    // A number without a sign is not a negative code, unless something beside it says so.
    guard words.count > 1 else { return entry.family == .aadsts }
    // `50000 ms` and `1001 times` are amounts.
    if position + 1 < words.count, CodeWord.units.contains(words[position + 1].text) { return false }
    guard entry.family == .network || entry.family == .keychain, words[position].text.count < 5 else {
      return true
    }
    return namesAppleDomain(words)
  }

  private static func namesAppleDomain(_ words: [CodeWord]) -> Bool {
    words.contains { word in CodeWord.appleDomains.contains { word.text.hasPrefix($0) } }
  }

  /// Returns the words of the domain that is printed before a number, as in `Domain=LampDomain Code=5`, or `nil` if the
  /// number does not have a domain.
  private static func domain(of words: [CodeWord], at position: Int) -> ArraySlice<CodeWord>? {
    guard position > 1, words[position - 1].text == "code" else { return nil }
    let before = words[max(0, position - 10)..<position - 1]
    guard let mark = before.lastIndex(where: { $0.text == "domain" || $0.text == "code" }),
      words[mark].text == "domain"
    else { return nil }
    return words[(mark + 1)..<position - 1]
  }

  /// Returns whether a word is a string that an SDK or the provider uses as a code, such as `invalid_grant`
  /// or `no_tokens_found`.
  package static func isStringCode(_ word: String) -> Bool {
    CodeIndex.shared.entries(for: CodeWord(word)).contains {
      ($0.family == .oauth || $0.family == .library) && !$0.isName
    }
  }
}

/// An index from words to the rows of their explanations.
private struct CodeIndex: Sendable {
  struct Entry: Hashable, Sendable {
    var family: Explanation.Family
    var row: ReferenceTable.Row
    /// Whether the word is the code's name or a part of it instead of the code.
    var isName = false
    /// Whether the word may be any number.
    var isAmbiguous = false
    /// Whether the word is the number of a code that has letters or a minus sign before it.
    var isBare = false
    /// Whether the code has a slash, so that it may be part of a path.
    var isLikePath = false
    /// The end of a code whose family alone is known, which is `x` for each character in the table.
    var ending: String?

    static func == (one: Entry, other: Entry) -> Bool {
      (one.family, one.row, one.ending) == (other.family, other.row, other.ending)
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(family)
      hasher.combine(row)
    }
  }

  static let shared = CodeIndex()

  /// A sentence by which an error is known, as the words after its first two.
  private struct Sentence: Sendable {
    var rest: [String]
    var entry: Entry
  }

  /// The first two words of a sentence: many begin with “The”, and the second word tells them apart.
  private struct Beginning: Hashable, Sendable {
    var first: String
    var second: String
  }

  /// The filter of the words and sentences below; made last.
  private(set) var filter: CodeFilter?
  private var entries: [String: [Entry]] = [:]
  /// The sentences by their beginning, the longest first.
  private var sentences: [Beginning: [Sentence]] = [:]

  /// Creates the index from the first two columns of each table, and from the sentences of `sentences.tsv`.
  private init() {
    for family in Explanation.Family.allCases where family != .term {
      let table = family.table
      for row in table.rows {
        let fields = table.fields(row, first: 2)
        guard fields.count == 2 else { continue }
        var entry = Entry(family: family, row: row)
        entry.isLikePath = fields[0].utf8.dropFirst().contains(UInt8(ascii: "/")) && !fields[0].contains(" ")
        if family == .message { addSentence(fields[0], entry) }
        add(entry, code: fields[0], name: fields[1])
      }
    }
    let table = ReferenceTable("sentences.tsv")
    for row in table.rows {
      let fields = table.fields(row)
      guard fields.count == 2, var entry = entry(named: fields[1]) else { continue }
      addSentence(fields[0], entry)
      // A single word is another name of the code.
      guard !fields[0].contains(" ") else { continue }
      entry.isName = true
      entries[fields[0].lowercased(), default: []].append(entry)
    }
    for beginning in sentences.keys { sentences[beginning]?.sort { $0.rest.count > $1.rest.count } }
    // A state is found only in a text that begins with `state`, which lines of a log never do.
    filter = CodeFilter(
      words: entries.lazy.filter { $0.value.contains { $0.family != .state } }.map(\.key),
      beginnings: sentences.keys.lazy.map { ($0.first, $0.second) })
  }

  /// Returns the entry of a code, or of a family and a code that other families have too: `webSession 1`.
  private func entry(named code: String) -> Entry? {
    let parts = code.split(separator: " ", maxSplits: 1).map(String.init)
    if parts.count == 2, let family = Explanation.Family(rawValue: parts[0]) {
      return entries[parts[1].lowercased()]?.first { $0.family == family && !$0.isName }
    }
    return entries[code.lowercased()]?.first { !$0.isName }
  }

  private mutating func addSentence(_ sentence: String, _ entry: Entry) {
    let words = CodeWord.words(of: sentence)
    guard words.count > 1 else { return }
    for words in Self.forms(of: sentence, words) {
      let beginning = Beginning(first: words[0], second: words[1])
      sentences[beginning, default: []].append(Sentence(rest: Array(words.dropFirst(2)), entry: entry))
    }
  }

  /// Returns the forms in which programs print a domain and its number: `lamp.domain error -3`, `lamp.domain Code=-3`, and
  /// `lamp.domain -3`; any other words are their only form.
  private static func forms(of sentence: String, _ words: [CodeWord]) -> [[String]] {
    let texts = words.map(\.text)
    let marks = ["error", "code"]
    guard words.count > 2, let number = words.last, number.isNumber, marks.contains(texts[words.count - 2])
    else { return [texts] }
    let domain = texts.dropLast(2)
    let forms = marks.map { domain + [$0, number.text] }
    // A product and a positive number may be beside each other for other reasons.
    let name = sentence.prefix { $0 != " " }
    let isDomain =
      name.contains(".") || domain.count == 1 && (name.hasSuffix("Domain") || number.text.hasPrefix("-"))
    return (isDomain ? forms + [domain + [number.text]] : forms).map(Array.init)
  }

  /// Returns the error whose sentence the words begin with and the number of its words, or `nil` if they do not begin
  /// with a known sentence.
  func sentence(_ words: ArraySlice<CodeWord>) -> (entry: Entry, count: Int)? {
    let rest = words.dropFirst(2)
    guard let first = words.first, let second = words.dropFirst().first,
      let candidates = sentences[Beginning(first: first.text, second: second.text)]
    else { return nil }
    for candidate in candidates {
      if rest.lazy.map(\.text).starts(with: candidate.rest) {
        return (candidate.entry, candidate.rest.count + 2)
      }
      if let count = Self.translated(candidate.rest, rest) { return (candidate.entry, count + 2) }
    }
    return nil
  }

  /// Returns the error of Google's library whose number Flutter's plug-in prints behind the shortened name of its class, and the number
  /// of words, or `nil` if there is none: `sign_in_failed, n3.b: 10: `.
  func googleError(_ words: ArraySlice<CodeWord>) -> (entry: Entry, count: Int)? {
    guard let number = words.prefix(8).firstIndex(where: \.isNumber),
      let (entry, _) = sentence([CodeWord("ApiException"), words[number]])
    else { return nil }
    return (entry, number - words.startIndex + 1)
  }

  /// Returns the number of words that represent a domain and its number, or `nil` for any other words.
  ///
  /// Apple's systems translate the word between them: `(lamp.domain error -3.)`, `(lamp.domain-Fehler -3.)`.
  private static func translated(_ sentence: [String], _ words: ArraySlice<CodeWord>) -> Int? {
    guard let number = sentence.last, number.hasPrefix("-"), sentence.dropLast().last == "error",
      let end = sentence.dropLast(2).last
    else { return nil }
    let count = sentence.count - 2
    let domain = words.prefix(count).map(\.text)
    guard domain.dropLast().elementsEqual(sentence.prefix(count - 1)),
      domain.last == end || domain.last?.hasPrefix(end + "-") ?? false
    else { return nil }
    guard let place = words.dropFirst(count).prefix(4).firstIndex(where: \.isNumber),
      words[place].text == number
    else { return nil }
    return place - words.startIndex + 1
  }

  private mutating func add(_ entry: Entry, code: String, name: String) {
    let digits = code.drop { !$0.isNumber }
    let isNumber = code.dropFirst(code.hasPrefix("-") ? 1 : 0) == digits
    var exact = entry
    // Nothing distinguishes these libraries' numbers, such as Office's 13006, from others.
    exact.isAmbiguous = isNumber && (digits.count < 5 || entry.family == .library)
    entries[code.lowercased(), default: []].append(exact)
    if entry.family == .aadsts || isNumber && code.hasPrefix("-") {
      // 50011 of AADSTS50011, and 50000 of -50000.
      var number = entry
      number.isAmbiguous = true
      number.isBare = true
      entries[String(digits), default: []].append(number)
    }
    var named = entry
    named.isName = true
    for word in names(of: entry.family, name) { entries[word, default: []].append(named) }
  }

  /// Returns the names in lowercase.
  ///
  /// A name of one word, such as `Unexpected`, is an everyday word.
  private func names(of family: Explanation.Family, _ name: String) -> Set<String> {
    func isTelling(_ word: some StringProtocol) -> Bool {
      word.dropFirst().contains { $0.isUppercase || $0.isNumber || $0 == "_" }
    }
    var words: Set<String> = []
    for word in name.split(separator: " ") where isTelling(word) { words.insert(word.lowercased()) }
    switch family {
    case .msal where name.hasPrefix("MSALError") && isTelling(name.dropFirst(9)):
      words.insert(name.dropFirst(9).lowercased())
    // Android's names, and those of .NET, do not have the prefixes of iOS.
    case .adal where name.hasPrefix("AD_"): words.insert(name.dropFirst(3).lowercased())
    case .library where name.hasPrefix("IntuneMAM"): words.insert(name.dropFirst(6).lowercased())
    case .msalInternal where !name.isEmpty: words.insert("msalinternalerror" + name.lowercased())
    default: break
    }
    return words
  }

  func entries(for word: CodeWord) -> [Entry] {
    var found = entries[word.text] ?? []
    // A word that is a code does not count as another code's name. The provider's names, such as
    // InvalidGrant, are also the SDKs'.
    if found.contains(where: { !$0.isName }) {
      found.removeAll(where: \.isName)
    } else if found.contains(where: { $0.family != .aadsts }) {
      found.removeAll { $0.family == .aadsts }
    }
    guard found.isEmpty else { return found }
    if let result = word.resultCode {
      if word.isNumber, word.text.utf8.count == 8 {
        // Eight digits may be any number, such as a date.
        return (entries[result] ?? []).map {
          var one = $0
          one.isAmbiguous = true
          return one
        }
      }
      if let exact = entries[result] { return exact }
      // `0x800903xx` says more than `0x8009xxxx`.
      let near = ofFamily(result.prefix(8) + "xx", ending: result.suffix(2))
      return near.isEmpty ? ofFamily(result.prefix(6) + "xxxx", ending: result.suffix(4)) : near
    }
    for family in word.families {
      let found = ofFamily(family.spelling, ending: family.ending)
      if !found.isEmpty { return found }
    }
    return []
  }

  private func ofFamily(_ family: String, ending: Substring) -> [Entry] {
    (entries[family] ?? []).map {
      var one = $0
      one.ending = ending.uppercased()
      return one
    }
  }
}

extension CodeIndex.Entry {
  /// The explanation in the row.
  ///
  /// For the row of a family of codes, such as `0xCAA8xxxx`, it gets the code's own digits.
  fileprivate var explanation: Explanation {
    let table = family.table
    var one = Explanation(family, table.fields(row))
    if let ending {
      one.code = one.code.dropLast(ending.count) + ending
      one.meaning = one.meaning.replacing("{low}", with: Int(ending, radix: 16).map(String.init) ?? ending)
    }
    return one
  }
}
