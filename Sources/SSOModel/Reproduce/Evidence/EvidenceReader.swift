import Essentials
import SSOCore
import SSODevice
import SSODoctor
import SSOInterop
import SSOKeychain
import SSOLab
import SSOReading
import SSOReference

/// A reader of everything that a failing sign-in leaves behind.
///
/// It reads what it is given; only the files of projects are read by the doctor.
package struct EvidenceReader {
  private var evidence = Evidence()
  /// The authority of a cache's tokens, which says less than the authority of a log.
  private var authorityOfCache: EvidenceFact?
  private var placeSigns = PlaceSigns()
  /// The failing call of a log to read, counted from one, or the beginning of its correlation ID.
  private let only: String?

  package init(only: String? = nil) { self.only = only }

  /// Returns the facts of all sources together.
  package consuming func finish() -> Evidence {
    if let fact = authorityOfCache { evidence.add(fact.name, fact.value, at: fact.place) }
    return evidence
  }

  /// Reads a log, a recording, a pasted error, or a token cache.
  /// - Throws: ``HARError`` or `CacheFileError` for a document that cannot be read.
  package mutating func read(_ file: EvidenceFile) throws {
    switch file.kind {
    case .recording: readRecording(RecordingReader(try HARFile(file.data)).read().trace.hops, file.name)
    case .cache: readCache(try CacheReader.read(file.data), file.name)
    case .log, .registration: try readLog(file)
    }
  }

  // MARK: - Logs

  /// The error that a log does not have the call that was asked for.
  package struct NoSuchCall: Error {
    package var only: String
    /// The number of failed calls.
    package var count: Int
  }

  /// Returns the index of the call with a number, or with the beginning of a correlation ID.
  private static func index(of only: String, in traces: [Trace]) -> Int? {
    if let number = Int(only), only.utf8.count < 4 {
      return traces.indices.contains(number - 1) ? number - 1 : nil
    }
    return traces.firstIndex { $0.summary.correlationID.lowercased().hasPrefix(only.lowercased()) }
  }

  private mutating func readLog(_ file: EvidenceFile) throws {
    var reader = LogReader()
    file.data.withUnsafeBytes { reader.feed($0) }
    let reading = reader.finish()
    // Source code, documentation, and plans name failures that did not occur. One line is what someone pasted, and the
    // beginning of its number may be cut off.
    guard !reading.assertsNothing || reading.lineCount == 1 && !reading.onlyMentions else {
      evidence.hasUnreadSource = true
      return
    }
    let lines = Self.mended(
      String(decoding: file.data, as: UTF8.self).withoutEscapes
        .split(omittingEmptySubsequences: false) { $0.isNewline })
    let traces = reading.traces
    let failed = traces.filter { $0.outcome?.verdict == .failed }
    let unsuccessful = failed.isEmpty ? traces.filter { $0.outcome?.verdict == .cancelled } : failed
    let index = only.map { Self.index(of: $0, in: unsuccessful) } ?? unsuccessful.indices.first
    if let only, index == nil { throw NoSuchCall(only: only, count: unsuccessful.count) }
    let chosen = index.map { unsuccessful[$0] }
    if traces.allSatisfy({ $0.outcome?.verdict == .succeeded }) { evidence.successes += traces.count }
    evidence.otherFailures += unsuccessful.indices.filter { $0 != index }.map {
      Evidence.OtherFailure(number: $0 + 1, text: Failure(ofSource: unsuccessful[$0]).displayText)
    }
    let range =
      chosen.map { Self.range(of: $0, among: traces, lines.count) } ?? Self.rangeOfLastCode(in: lines)
    if let chosen { take(chosen, in: file.name) }
    evidence.caller.take(reading.counts)
    var callerPlace: String?
    for index in range {
      let place = "\(file.name):\(index + 1)"
      take(lines[index].prefix(4_000), at: place)
      if callerPlace == nil, evidence.caller.isProgram { callerPlace = place }
    }
    finishLines(callerPlace ?? file.name)
    if evidence.failure.isEmpty { evidence.hasUnreadSource = true }
  }

  /// Returns the lines with each number of Entra that the end of a line interrupts in the line in which it begins.
  private static func mended(_ lines: [Substring]) -> [Substring] {
    var lines = lines
    for index in lines.indices.dropLast() {
      let line = lines[index].trimming { " \t".unicodeScalars.contains($0) }
      let head = line.reversed().prefix { $0.isASCII && $0.isNumber }.count
      guard head < 5, line.dropLast(head).hasSuffix(Failure.numberPrefix) else { continue }
      // The next line may begin with the frame of a table.
      let next = lines[index + 1]
      let start = next.prefix(12).drop { !$0.isNumber && !$0.isLetter }
      let digits = next[start.startIndex...].prefix { $0.isASCII && $0.isNumber }
      guard !digits.isEmpty, (5...8).contains(head + digits.count) else { continue }
      lines[index] = Substring(line + digits)
      lines[index + 1] = next[digits.endIndex...]
    }
    return lines
  }

  /// Records the facts and the codes of a line.
  private mutating func take(_ line: Substring, at place: String) {
    let answers = evidence.redirectedAnswers
    TextFacts.add(line, at: place, to: &evidence)
    takeSDK(line, at: place)
    let isRead = evidence.sentences.count < Self.mostSentences
    if isRead { evidence.caller.take(line) }
    let before = evidence.failure
    if isRead || Self.mayHaveCode(line) {
      evidence.failure.take(
        ErrorLabel.number(aloneIn: line).map { "\(Failure.numberPrefix)\($0)" } ?? String(line))
      evidence.takeForeignCode(String(line), at: place)
    }
    if let title = PageTitle.find(in: line), evidence.failure.pageTitle == nil {
      evidence.failure.pageTitle = title
      evidence.add(.page, title.words, at: place)
    }
    addCodes(of: evidence.failure, since: before, at: place)
    // Only the authorization endpoint answers by a redirect.
    if before.number == nil, evidence.failure.number != nil, evidence.redirectedAnswers > answers,
      evidence.failure.place == nil
    {
      evidence.failure.place = .authorize
    }
    if isRead {
      placeSigns.take(line)
      evidence.signs.take(line)
      if placeSigns.asksWithoutPage { evidence.isSilent = evidence.isSilent ?? true }
    }
    if isRead { evidence.sentences.append(String(line)) }
  }

  private mutating func finishLines(_ callerPlace: String) {
    evidence.caller.finish()
    if let symbol = evidence.failure.symbol {
      if let row = Explanation.Family.library.explanation(of: symbol) {
        evidence.caller.take(library: row.domain)
      }
      if WindowsResult(code: symbol) != nil { evidence.caller.takeBrokerOfWindows() }
    }
    if let today = EarlierNumber.today(evidence.failure.aadsts, evidence.caller.grant, evidence.sentences) {
      evidence.failure.todaysNumbers = [today]
    }
    if evidence.failure.place == nil, evidence.failure.number != nil {
      evidence.failure.place = placeSigns.place(of: evidence.caller, error: evidence.failure.oauthError)
    }
    // A page that shows its number is not known by its title alone.
    if evidence.failure.number != nil { evidence.failure.pageTitle = nil }
    if evidence.failure.pageTitle != nil { evidence.failure.place = .authorize }
    // The entity of a SAML request is not a client ID.
    if evidence.signs.isOfSAML { evidence.remove(.clientID) }
    if let text = evidence.caller.displayText { evidence.add(.caller, text, at: callerPlace) }
    if evidence.failure.keychainStatus != nil, evidence.failure.number == nil {
      evidence.failure.place = .keychain
    }
  }

  /// Returns the lines around the last line with a code of the provider or of an SDK's error, or else the first lines.
  private static func rangeOfLastCode(in lines: [Substring]) -> Range<Int> {
    let most = 2_000
    let marks = [Failure.numberPrefix, Failure.b2cPrefix, "Error Domain="]
    guard lines.count > most, let last = lines.lastIndex(where: { marks.contains(where: $0.contains) }) else {
      return 0..<min(lines.count, most)
    }
    return max(0, last - most / 2)..<min(lines.count, last + most / 2)
  }

  /// Returns the lines of a call, with the lines after it that its last record may include, or those around its only
  /// line.
  private static func range(of trace: Trace, among traces: [Trace], _ count: Int) -> Range<Int> {
    let numbers = trace.hops.compactMap(\.lineNumber)
    guard let first = numbers.min(), let last = numbers.max() else { return 0..<min(count, 5_000) }
    guard traces.count > 1 else {
      return max(0, min(first, count) - 2_500)..<min(last + 2_500, count)
    }
    // The lines of another call end the last record.
    let next = traces.flatMap { $0.hops.compactMap(\.lineNumber) }.filter { $0 > last }.min() ?? count + 1
    return min(first - 1, count)..<min(max(last, min(next - 1, last + 20)), count)
  }

  /// The number of lines that are also searched for sentences.
  private static let mostSentences = 200

  /// Returns whether a line may have a code, as most lines of a long log do not.
  private static func mayHaveCode(_ line: Substring) -> Bool {
    line.utf8.contains { (0x30...0x39).contains($0) } || line.utf8.contains(UInt8(ascii: "_"))
  }

  private mutating func take(_ trace: Trace, in file: String) {
    evidence.steps = trace.hops
    func place(_ hop: Hop) -> String { hop.lineNumber.map { "\(file):\($0)" } ?? file }
    for hop in trace.hops where evidence.isSilent == nil {
      guard let isSilent = hop.showsSilentCall else { continue }
      evidence.isSilent = isSilent
      evidence.add(.call, "\(CallKind(isSilent: isSilent).rawValue): \(hop.action)", at: place(hop))
    }
    if let hop = trace.hops.first(where: { $0.action.contains("broker") && $0.from != .person }) {
      evidence.add(.broker, "the call uses the broker", at: place(hop))
    }
    if trace.hops.contains(where: { $0.action == "redeem the refresh token" || $0.action == "token endpoint" }
    ) {
      evidence.failure.place = .token
    }
  }

  /// Records the SDK, its version, and the system of a line `… MSAL 1.4.0 iOS 17.4 [`, which begins as the system's log
  /// does, or `[MSAL 1.4.0 Mac 14.1 …]`.
  private mutating func takeSDK(_ line: Substring, at place: String) {
    guard evidence.value(.sdk) == nil else { return }
    let words = line.prefix(300).split(separator: " ")
    guard let name = words.firstIndex(where: { ["MSAL", "ADAL", "[MSAL", "[ADAL"].contains($0) }),
      words.count > name + 3, let system = Self.systems[String(words[name + 2])],
      words[name].hasPrefix("[") || words.count > name + 4 && words[name + 4].hasPrefix("[")
    else { return }
    let version = words[name + 3].prefix { $0.isNumber || $0 == "." }
    guard !version.isEmpty, version.endIndex == words[name + 3].endIndex || words[name].hasPrefix("["),
      words[name + 1].allSatisfy({ $0.isNumber || $0 == "." })
    else { return }
    evidence.add(.sdk, "\(words[name].drop { $0 == "[" }) \(words[name + 1])", at: place)
    evidence.add(.system, "\(system) \(version)", at: place)
  }

  /// The names of systems in logs, with the lab's names.
  private static let systems = ["iOS": "iOS", "macOS": "macOS", "OSX": "macOS", "Mac": "macOS"]

  /// Adds the facts of codes that a line is the first to show.
  private mutating func addCodes(of now: Failure, since before: Failure, at place: String) {
    if let number = now.number, number != before.number { evidence.replace(.error, number, at: place) }
    if before.keychainStatus == nil, let status = now.keychainStatus {
      evidence.add(.error, "OSStatus \(status)", at: place)
    }
    if before.symbol == nil, let symbol = now.symbol { evidence.add(.sdkCode, symbol, at: place) }
    if now.sdkCode != before.sdkCode, let code = now.sdkCode {
      evidence.replace(.sdkCode, "\(now.domain.map { $0 + " " } ?? "")\(code)", at: place)
    }
    if before.oauthError == nil, let error = now.oauthError {
      evidence.add(.oauthError, [error, now.suberror].compactMap(\.self).joined(separator: ", "), at: place)
    }
  }

  // MARK: - Calls that were read before

  /// Reads a call that ``LogReader`` or ``RecordingReader`` has made from a log or a recording.
  package mutating func read(_ trace: Trace) {
    if trace.hops.contains(where: \.isOfRecording) { return readRecording(trace.hops, "recording") }
    take(trace, in: "log")
    for hop in trace.hops {
      let place = hop.lineNumber.map { "log:\($0)" } ?? "log"
      let found = hop.checks.filter { $0.verdict == .failed }.map(\.found)
      for text in [hop.sent.map(\.value).joined(separator: " ")] + found + [hop.result] where !text.isEmpty {
        take(text.prefix(4_000), at: place)
      }
    }
    if let outcome = trace.outcome {
      let texts = [
        outcome.errorDomain, outcome.errorCode.map(String.init), outcome.errorText, outcome.summary,
      ]
      take(texts.compactMap(\.self).joined(separator: " ").prefix(4_000), at: "log")
    }
    finishLines("log")
  }

  /// Records the error that a finding of the doctor leads to.
  package mutating func read(_ finding: DoctorCheck) {
    evidence.subject = finding.subject
    guard let refusal = finding.refusal else { return }
    let before = evidence.failure
    evidence.failure.take(refusal.code)
    addCodes(of: evidence.failure, since: before, at: finding.place.description)
  }

  // MARK: - Recordings

  private mutating func readRecording(_ hops: [Hop], _ file: String) {
    evidence.steps = hops.map(\.withoutIDs)
    var callerPlace = file
    for hop in hops {
      let place = "\(file): \(hop.sent.first?.name.prefix { $0 != "," } ?? "entry")"
      let names = [
        "client_id", "redirect_uri", "scope", "Origin", "x-client-SKU", "x-client-Ver", "x-client-OS",
      ]
      for name in names { takeField(name, of: hop, at: place) }
      let line = hop.sent.first.map { $0.value + hop.action.drop { $0 != "/" } } ?? ""
      TextFacts.add(line[...], at: place, to: &evidence)
      guard evidence.failure.number == nil else { continue }
      evidence.caller.take(request: hop)
      takeCall(hop)
      callerPlace = place
      // The provider's refusal is not the first check that fails if the request itself is wrong too.
      let failed = hop.checks.filter { $0.verdict == .failed }
      let before = evidence.failure
      for check in failed where evidence.failure.number == nil {
        evidence.failure.take(check.found)
        TextFacts.add(check.found[...], at: place, to: &evidence)
        // A server that reports its own error has redeemed the code.
        evidence.failure.place = check.name == RecordingReader.appResponse ? .token : hop.providerPlace
      }
      if evidence.failure.number != nil {
        evidence.signs.take(line[...])
        takeScopes(ofFailing: hop, at: place)
      } else {
        evidence.failure.place = nil
      }
      addCodes(of: evidence.failure, since: before, at: place)
      if evidence.refusalWithoutCode == nil, hop.result.hasPrefix("4") || hop.result.hasPrefix("5") {
        evidence.refusalWithoutCode =
          hop.to == .provider
          ? "\(place) has status \(hop.result), and the recording has no code of its answer: "
            + "record it with the bodies of the answers"
          : "\(place): the app refused the provider's response with status \(hop.result), "
            + "and only the app's own log has the code"
      }
    }
    // A token request that the browser blocked has no status.
    if evidence.failure.isEmpty,
      hops.contains(where: { $0.action.contains("/token") && $0.result.hasPrefix("200") })
    {
      evidence.successes += 1
    }
    if let sku = evidence.value(.sdk) { evidence.caller.take(sku: sku) }
    if let text = evidence.caller.displayText { evidence.add(.caller, text, at: callerPlace) }
    if let isSilent = evidence.isSilent {
      let text = isSilent ? ": no page is shown" : ": the user signs in"
      evidence.add(.call, CallKind(isSilent: isSilent).rawValue + text, at: callerPlace)
    }
  }

  /// Records whether a request of a recording belongs to an interactive call; a redemption belongs to the sign-in
  /// before it.
  private mutating func takeCall(_ hop: Hop) {
    if let type = hop.sent["grant_type"] {
      if type == "refresh_token" { evidence.isSilent = true }
    } else if hop.sent["response_type"] != nil {
      evidence.isSilent = hop.sent["prompt"] == "none"
    }
  }

  /// Replaces the scopes of an earlier request with those of the request that fails.
  private mutating func takeScopes(ofFailing hop: Hop, at place: String) {
    guard hop.sent["scope"]?.isEmpty == false, !evidence.scopes.isEmpty else { return }
    evidence.remove(.scopes)
    evidence.scopes = []
    takeField("scope", of: hop, at: place)
  }

  private mutating func takeField(_ name: String, of hop: Hop, at place: String) {
    guard let value = hop.sent[name], !value.isEmpty else { return }
    switch name {
    case "client_id" where value.isGUID:
      evidence.add(.clientID, value.lowercased(), at: place)
    case "redirect_uri" where value.isPlainURI:
      evidence.add(.redirectURI, value, at: place)
      evidence.takeBundleID(in: value, at: place)
    case "Origin" where value.isPlainURI: evidence.add(.origin, value, at: place)
    case "scope":
      let reserved: Set = ["openid", "profile", "offline_access", "email"]
      let scopes = value.split(separator: " ").map(String.init).filter {
        $0.isPlainURI && !reserved.contains($0)
      }
      if evidence.scopes.isEmpty { evidence.scopes = scopes }
      if !scopes.isEmpty { evidence.add(.scopes, scopes.joined(separator: " "), at: place) }
    case "x-client-SKU" where value.isPlainURI:
      let version = hop.sent["x-client-Ver"].flatMap { $0.isPlainURI ? " " + $0 : nil } ?? ""
      evidence.add(.sdk, value + version, at: place)
    case "x-client-OS" where value.isPlainURI: evidence.add(.system, value, at: place)
    default: break
    }
  }

  // MARK: - Caches

  private mutating func readCache(_ cache: CacheFile, _ file: String) {
    for account in cache.accounts {
      evidence.privateTexts.formUnion(
        [account.username, account.homeAccountID, account.realm].filter { $0.count > 2 })
    }
    if let clientID = cache.credentials.lazy.map(\.clientID).first(where: { $0.isGUID }) {
      evidence.add(.clientID, clientID.lowercased(), at: file)
    }
    let accessTokens = cache.credentials.filter(\.type.isAccessToken)
    let refreshTokens = cache.credentials.count { $0.type == .refreshToken }
    evidence.add(
      .cache,
      "\(counted(cache.accounts.count, "account")), \(counted(accessTokens.count, "access token")), \(counted(refreshTokens, "refresh token"))",
      at: file)
    evidence.cachedAccounts = cache.accounts.count
    evidence.cachedRefreshTokens = refreshTokens
    takeRealm(of: accessTokens, file)
    let scopes = accessTokens.lazy.map(\.scopes).first.map { $0.filter(\.isPlainURI).sorted() } ?? []
    if !scopes.isEmpty { evidence.add(.scopes, scopes.joined(separator: " "), at: file) }
  }

  /// Records the tenant of a cache whose tokens all belong to one tenant.
  private mutating func takeRealm(of tokens: [CredentialItem], _ file: String) {
    let realms = Set(tokens.map { "\($0.environment)/\($0.realm ?? "")".lowercased() })
    guard realms.count == 1, let token = tokens.first, let realm = token.realm, realm.isPlainURI,
      PublicCloud.aliases.contains(token.environment.lowercased())
    else { return }
    if realm.isGUID || realm.contains(".") {
      evidence.privateTexts.insert(realm)
      evidence.add(.tenant, realm, at: file)
    }
    authorityOfCache = EvidenceFact(
      name: .authority, value: "https://\(PublicCloud.preferredNetwork)/\(realm)", place: file)
  }

  // MARK: - Projects

  /// Sets the system of the app whose call failed, which decides which app of a project is taken.
  package mutating func assume(appFor platform: Platform) { evidence.assume(appFor: platform) }

  /// Sets the kind of the program whose call failed, and its grant, as the user says.
  /// - Returns: `false` if no program of the kind uses the grant.
  package mutating func assume(program kind: Program.Kind?, grant: CallProgram.Grant?) -> Bool {
    evidence.assume(program: kind, grant: grant)
  }

  /// Records the diagnosis of projects and registrations.
  package mutating func take(_ diagnosis: Diagnosis) {
    evidence.diagnosis = diagnosis
    for registration in diagnosis.registrations {
      evidence.add(
        .registration,
        "\(registration.clientID.value), \(counted(registration.redirects.count, "redirect URI"))",
        at: registration.clientID.place.description)
    }
    guard let facts = evidence.app(in: diagnosis) else {
      if let other = diagnosis.projectApps.first {
        evidence.add(
          .app, "none: \(other.name) is for another system than the source", at: other.origin.description)
      }
      return
    }
    func add(_ name: EvidenceFact.Name, _ found: Found<String>?) {
      if let found { evidence.add(name, found.value, at: found.place.description) }
    }
    let others = diagnosis.projectApps.filter { $0.name != facts.name }.map(\.subject)
    var text = facts.subject
    if !others.isEmpty {
      let names = others.prefix(3).joined(separator: ", ") + (others.count > 3 ? ", …" : "")
      text += ", \(evidence.reason(for: facts, in: diagnosis)); also seen: \(names)"
    }
    evidence.add(.app, text, at: facts.origin.description)
    add(.bundleID, facts.bundleID)
    add(.clientID, facts.clientID)
    add(.redirectURI, facts.redirectURI)
    if let sdk = facts.sdkText { evidence.add(.sdk, sdk, at: facts.origin.description) }
    evidence.caller.take(projectOn: facts.platform)
  }
}

extension Evidence {
  /// Replaces a fact with a more precise one.
  fileprivate mutating func replace(_ name: EvidenceFact.Name, _ value: String, at place: String) {
    remove(name)
    add(name, value, at: place)
  }
}

extension Trace {
  /// Whether the call was read from a log or a recording, and is not a call of the lab.
  package var isOfSource: Bool { hops.contains { $0.lineNumber != nil || $0.isOfRecording } }
}

extension Hop {
  fileprivate var isOfRecording: Bool { sent.first?.name.hasPrefix("entry ") ?? false }

  /// Whether the step of a log shows that the call is silent, or `nil` if it may be of either kind.
  ///
  /// MSAL for Android writes “Starting request with …” and MSAL.js `msal:acquireTokenStart` for both kinds
  /// (microsoft-authentication-library-common-for-android, `CommandDispatcher.logParameters`).
  fileprivate var showsSilentCall: Bool? {
    let text = sent.first?.value ?? ""
    func says(_ words: [String]) -> Bool { words.contains(where: text.contains) }
    if says(["Starting request with", "msal:acquireTokenStart"]) { return nil }
    if says(["(SilentRequest)", "Completed silent request", "acquireTokenSilent returning"]) { return true }
    if says(["(InteractiveRequest)", "Completed interactive request", "acquireToken returning"]) {
      return false
    }
    guard from == .app, to.isSDK else { return nil }
    if ["acquireTokenSilent", "AcquireTokenSilent", "ssoSilent"].contains(action) { return true }
    let interactive: Set = [
      "acquireToken", "acquireTokenPopup", "acquireTokenRedirect", "loginPopup", "loginRedirect", "login",
    ]
    return interactive.contains(action) ? false : nil
  }

  /// The number of the line in a log from which the step was read, or `nil` if it was read from something else; for a
  /// record of several lines, the number of the line with the code.
  fileprivate var lineNumber: Int? {
    guard let name = sent.last?.name, name.hasPrefix("line ") else { return nil }
    return Int(name.dropFirst(5).prefix { $0.isNumber })
  }

  /// The request with its endpoint in place of its path, which may name a tenant.
  fileprivate var withoutIDs: Hop {
    var hop = self
    hop.action = actor.isEmpty ? "request" : actor
    hop.sent = []
    return hop
  }
}
