import SSOCore
import SSODevice
import SSOLab
import SSOReading
import SSOReference

/// The party that makes the failing call in the lab.
enum Caller: Hashable, Sendable {
  /// An app of an Apple device.
  case app
  /// An app of an Android device.
  case androidApp
  /// A program, with the grant of its call.
  case program(Program.Kind, CallProgram.Grant)

  var displayText: String {
    switch self {
    case .app: "an app for Apple's systems"
    case .androidApp: "an app for Android"
    case .program(let kind, let grant): "\(kind.displayText), \(grant.displayText)"
    }
  }
}

extension Caller {
  /// Creates the caller of a kind and a grant, one of which may be the usual one of the other, or returns `nil` if no
  /// program of the kind uses the grant.
  init?(_ kind: Program.Kind?, _ grant: CallProgram.Grant?) {
    guard let own = kind ?? grant?.usualKind else { return nil }
    let sent = grant ?? own.usualGrant
    guard own.serves(sent) else { return nil }
    self = .program(own, sent)
  }

  var isProgram: Bool { if case .program = self { true } else { false } }

  /// Whether the caller's requests have a redirect URI, or continue a sign-in that had one.
  var sendsRedirectURI: Bool {
    guard case .program(_, let grant) = self else { return true }
    return grant == .authorizationCode || grant == .refreshToken
  }

  /// A parameter of the request that precedes the token request.
  var askedParameter: String {
    if case .program(_, .deviceCode) = self { "scope" } else { "response_type" }
  }

  /// The parameter of the token endpoint that only this caller's grant has.
  var parameter: String {
    switch self {
    case .app, .androidApp, .program(_, .authorizationCode): "code"
    case .program(_, .refreshToken): "refresh_token"
    case .program(_, .password): "username"
    case .program(_, .clientCredentials): "grant_type"
    case .program(_, .managedIdentity): "resource"
    case .program(_, .deviceCode): "device_code"
    case .program(_, .onBehalfOf): "assertion"
    }
  }
}

extension Program.Kind {
  fileprivate var displayText: String {
    switch self {
    case .page: "a page in a browser"
    case .publicProgram: "a program without a secret"
    case .webServer: "a web server"
    case .daemon: "a daemon"
    }
  }

  /// The field of a registration that holds such a program's redirect URIs, and its name in the portal.
  var redirectField: (name: String, portal: String) {
    switch self {
    case .page: ("spaRedirectURIs", "Single-page application")
    case .publicProgram: ("redirectURIs", "Mobile and desktop applications")
    case .webServer, .daemon: ("webRedirectURIs", "Web")
    }
  }

  fileprivate var usualGrant: CallProgram.Grant { self == .daemon ? .clientCredentials : .authorizationCode }
}

extension CallProgram.Grant {
  var displayText: String {
    switch self {
    case .authorizationCode: "authorization code"
    case .refreshToken: "refresh token"
    case .password: "password"
    case .clientCredentials: "client credentials"
    case .deviceCode: "device code"
    case .onBehalfOf: "on behalf of a user"
    case .managedIdentity: "the identity of its machine"
    }
  }

  fileprivate var usualKind: Program.Kind {
    switch self {
    case .authorizationCode, .refreshToken, .password, .deviceCode: .publicProgram
    case .clientCredentials, .managedIdentity: .daemon
    case .onBehalfOf: .webServer
    }
  }

  /// Returns the grant for a call that was written for an app, whose calls are interactive or silent.
  func standingIn(forSilent isSilent: Bool) -> Self {
    switch self {
    case .authorizationCode, .deviceCode, .refreshToken:
      isSilent ? .refreshToken : self == .refreshToken ? .authorizationCode : self
    case .password, .clientCredentials, .onBehalfOf, .managedIdentity: self
    }
  }
}

/// The software that made the failing call, to the extent that texts show it.
struct CallerEvidence: Hashable, Sendable {
  /// The platform of the app, or `nil` if no text shows an app.
  private(set) var platform: Platform?
  private(set) var software: String?
  /// The language of the program, if nothing more precise shows its software.
  private var language: String?
  /// The kind of program that a word, an SDK's name, or a request shows.
  private var shownKind: Program.Kind?
  /// The kind of program whose redirect URI a source shows.
  private var kindByAddress: Program.Kind?
  /// The kind of program whose requests have the `Origin` header, which the provider's sentence quotes.
  private var kindByOrigin: Program.Kind?
  private(set) var grant: CallProgram.Grant?
  /// Whether a recorded request shows the grant, and not only a word of a text.
  private var isGrantRecorded = false
  /// Whether a text is the token endpoint's response as JSON, which only a developer's own program prints.
  private(set) var showsAnswer = false
  /// Whether a text names a plugin, so that an app for one of two systems makes the call.
  private var hasPlugin = false
  /// The systems that the lines of a text name.
  private var systems: Set<Platform> = []
  /// The members of such a response that were read.
  private var answerMembers: Set<String> = []

  init() {}

  /// The kind of program, or `nil` if no source shows it.
  private(set) var kind: Program.Kind? {
    get { shownKind ?? kindByOrigin ?? kindByAddress }
    set { shownKind = newValue }
  }

  /// Whether a text shows a program rather than an app on the device.
  var isProgram: Bool {
    platform == nil && !hasPlugin
      && (kind != nil || grant != nil || software != nil || language != nil || showsAnswer)
  }

  /// The program, its software, and its grant as words, or `nil` if no text shows a program.
  var displayText: String? {
    guard isProgram else { return nil }
    let words = [software ?? language, kind?.displayText, grant?.displayText].compactMap(\.self)
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }

  private static let signsOfDeviceCode = [
    "--use-device-code", "-usedeviceauthentication", "to sign in, use a web browser to open the page",
  ]

  /// Reads a line, without replacing what an earlier line showed.
  mutating func take(_ line: Substring) {
    guard platform == nil else { return }
    if line.utf8.contains(UInt8(ascii: "\"")) {
      answerMembers.formUnion(Self.answerMembers.filter(line.contains))
      showsAnswer = answerMembers.contains(Self.answerMembers[0]) && answerMembers.count > 1
    }
    guard software?.hasPrefix("MSAL") != false || shownKind == nil || grant == nil else { return }
    if CallerSign.isLogcat(line) || line.contains("acquireTokenSilentAsync") {
      platform = .android
      return
    }
    let text = CallerSign.withoutAdvice(line.lowercased())
    if text.contains("grant") || text.contains("client_secret") { take(parametersIn: text) }
    // The command itself, or its output, is the call, and not a word of the preceding text.
    if Self.signsOfDeviceCode.contains(where: text.contains) {
      (grant, isGrantRecorded) = (.deviceCode, true)
    }
    if let sent = Self.grant(sending: text) { (grant, isGrantRecorded) = (sent, true) }
    guard !CallerSign.isUntried(text) else { return }
    takePlugin(text)
    language = language ?? CallerSign.language(text)
    let words = CallerSign.withoutMentions(CallerSign.withoutProviderWords(text))
    let start = CallerSign.withoutPrompt(words)
    for sign in CallerSign.all where sign.isShown(in: words, start) {
      if let found = sign.platform {
        platform = found
        return
      }
      if let other = sign.replaced, software?.hasPrefix(other) == true { (software, shownKind) = (nil, nil) }
      software = software ?? sign.software
      shownKind = shownKind ?? sign.kind
      grant = grant ?? sign.grant
    }
  }

  private mutating func takePlugin(_ text: String) {
    hasPlugin = hasPlugin || CallerSign.plugins.contains(where: text.contains)
    if text.contains("android") { systems.insert(.android) }
    if text.split(whereSeparator: { !$0.isLetter }).contains("ios") || text.contains("msauth.com.") {
      systems.insert(.iOS)
    }
  }

  /// Records the system of an app with a plugin, if the texts name only one.
  mutating func finish() {
    if hasPlugin, platform == nil, systems.count == 1 { platform = systems.first }
  }

  /// Returns the grant whose parameter a sentence of the provider rejects, given in lowercase, or `nil` for another text:
  /// `The provided value for the input parameter 'device_code' is not valid`.
  private static func grant(sending text: String) -> CallProgram.Grant? {
    guard text.contains("aadsts"), let mark = rejections.lazy.compactMap({ text.firstRange(of: $0) }).first
    else {
      return nil
    }
    switch text[mark.upperBound...].prefix(while: { $0.isLetter || $0 == "_" }) {
    case "device_code": return .deviceCode
    case "code", "code_verifier": return .authorizationCode
    case "refresh_token": return .refreshToken
    case "assertion": return .onBehalfOf
    default: return nil
    }
  }

  private static let rejections = ["input parameter '", "the value '", "the parameter '"]

  /// The members of the token endpoint's response that occur together in no other text.
  private static let answerMembers = [
    "error_description\"", "error_codes\"", "trace_id\"", "correlation_id\"", "error_uri\"", "\"error\"",
  ]

  /// Records what a program's own parameters show, such as `"grant_type" = "password"` in a script.
  private mutating func take(parametersIn text: String) {
    let plain = String(text.filter { !" \"'`\t".contains($0) }).replacing(":", with: "=")
    if grant == nil, let start = plain.firstRange(of: "grant_type=") {
      take(grantType: plain[start.upperBound...].prefix { $0.isLetter || $0 == "_" }.lowercased())
    }
    // The provider's sentence about a missing secret is not a parameter.
    if shownKind == nil, let start = plain.firstRange(of: "client_secret="),
      plain[start.upperBound...].first.map({ !"&,;})".contains($0) }) == true
    {
      shownKind = grant == .clientCredentials ? .daemon : .webServer
    }
  }

  /// Records the library whose code a source shows, if only one library has such code.
  mutating func take(library: String) {
    guard platform == nil, !isProgram else { return }
    switch library {
    case "MSAL for Android": platform = .android
    case "MSAL.js": (software, shownKind) = ("MSAL.js", .page)
    case "MSAL.NET": software = "MSAL.NET"
    default: break
    }
  }

  /// Records a result of Windows, whose broker serves programs.
  mutating func takeBrokerOfWindows() {
    if platform == nil, shownKind == nil { shownKind = .publicProgram }
  }

  /// Records the kind of most lines of a log.
  mutating func take(_ counts: [LogKind: Int]) {
    let kinds = counts.filter { !$0.key.isErrorText }.max {
      ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue)
    }
    guard let kind = kinds?.key, platform == nil else { return }
    switch kind {
    case .apple: platform = .iOS
    case .android: platform = .android
    case .javaScript: (software, shownKind) = (software ?? kind.displayText, shownKind ?? .page)
    case .dotnet, .python, .runtime: software = software ?? kind.displayText
    case .entra, .printed: break
    }
  }

  /// Records the name that an SDK sends with its requests.
  mutating func take(sku: String) {
    let name = sku.lowercased()
    if name.hasPrefix("msal.ios") || name.hasPrefix("msal.osx") {
      platform = .iOS
    } else if name.hasPrefix("msal.android") {
      platform = .android
    } else if name.hasPrefix("id_") {
      // Microsoft.IdentityModel, with which ASP.NET Core signs users in.
      (software, kind) = ("ASP.NET Core", .webServer)
    } else if ["msal.js.node", "passport-azure-ad"].contains(where: name.hasPrefix) {
      (software, kind) = (sku, .webServer)
    } else {
      software = sku
      if name.contains("msal.js") { kind = .page }
    }
  }

  /// Records the system of a project, unless the texts show another caller.
  mutating func take(projectOn system: Platform) {
    if system == .android, platform == nil, !isProgram { platform = .android }
  }

  /// Records the caller that the user chose.
  mutating func take(_ caller: Caller) {
    self = CallerEvidence()
    switch caller {
    case .app: platform = .iOS
    case .androidApp: platform = .android
    case .program(let kind, let grant): (self.kind, self.grant) = (kind, grant)
    }
  }

  /// Records a redirect URI: an Android app's, a program's, or one on the web, which desktop programs have only on
  /// loopback, without a path.
  mutating func take(redirectURI: String) {
    if Self.isOfProgram(redirectURI) {
      kindByAddress = .publicProgram
      return
    }
    if !isProgram, Self.platform(ofApp: redirectURI) == .android { platform = platform ?? .android }
    // Only MSAL for Apple's systems has the form.
    if !isProgram, redirectURI.hasPrefix("msauth.") { platform = platform ?? .iOS }
    guard let url = URLParts(redirectURI), ["http", "https"].contains(url.scheme.lowercased()),
      !PublicCloud.aliases.contains(url.host.lowercased())
    else { return }
    if url.path.hasPrefix("/.auth/login/") {
      // App Service signs users in beside the app (Microsoft: Authentication and authorization in Azure App Service).
      (software, shownKind) = (software ?? "App Service", shownKind ?? .webServer)
    }
    let isOfDesktop = isLoopback(url.host) && ["", "/"].contains(url.path)
    // Blazor WebAssembly and Angular's template of ASP.NET Core (aspnetcore, `RemoteAuthenticationApplicationPathsOptions`).
    let isOfPage = url.path.lowercased().hasSuffix("/authentication/login-callback")
    kindByAddress = isOfPage ? .page : isOfDesktop ? .publicProgram : .webServer
  }

  /// Returns the ID of the app in a redirect URI, or `nil` if it is a web address or a program's.
  static func appID(in redirectURI: String) -> String? {
    redirectURI.lowercased().hasPrefix("http") || isOfProgram(redirectURI)
      ? nil : RedirectOwner.bundleID(in: redirectURI)
  }

  /// Returns the platform of the app that has such a redirect URI, or `nil` if no app has one.
  private static func platform(ofApp redirectURI: String) -> Platform? {
    appID(in: redirectURI).map { _ in redirectURI.hasPrefix("msauth://") ? .android : .iOS }
  }

  /// Returns whether only programs without a page have such a redirect URI, such as WAM's, and that of a program that
  /// reads the page.
  static func isOfProgram(_ redirectURI: String) -> Bool {
    let uri = redirectURI.lowercased()
    return ["ms-appx-web:", "urn:ietf:wg:oauth:2.0:oob"].contains(where: uri.hasPrefix)
      || uri.hasPrefix("https://") && uri.hasSuffix("/oauth2/nativeclient")
  }

  /// Records a response in the fragment of a redirect URI, which only a page can read.
  mutating func takeAnswerInFragment() {
    if platform == nil, shownKind == nil { shownKind = .page }
  }

  /// Whether only the redirect URI shows the kind of program, which may also be a page that redeems its code itself.
  var isKindByAddress: Bool {
    shownKind == nil && kindByOrigin == nil && kindByAddress != nil && kindByAddress != .page
  }

  /// Whether a text shows the kind of program, or a grant that only one kind uses.
  var isKindShown: Bool {
    guard !isKindByAddress else { return false }
    switch grant {
    case .deviceCode, .clientCredentials, .managedIdentity, .onBehalfOf: return true
    case .authorizationCode, .refreshToken, .password, nil: return kind != nil
    }
  }

  /// Records an origin in a sentence, which a page sends, unless another word shows another program.
  mutating func takeOrigin() { kindByOrigin = .page }

  /// Whether the failing call asks the user, or `nil` if only a word of a text shows the grant, or nothing does.
  var asksPerson: Bool? {
    if grant == .refreshToken { return false }
    return isGrantRecorded && grant == .deviceCode ? true : nil
  }

  /// Records what a recorded request shows about its sender.
  mutating func take(request: Hop) {
    let redirectURI = request.sent["redirect_uri"] ?? ""
    take(redirectURI: redirectURI)
    if let found = Self.platform(ofApp: redirectURI) { platform = found }
    guard platform == nil else { return }
    let before = grant
    if let type = request.sent["grant_type"] {
      take(grantType: type)
    } else if request.action.hasSuffix("/devicecode") {
      grant = .deviceCode
    } else if Self.machinePaths.contains(where: request.action.lowercased().hasSuffix) {
      (software, kind, grant) = ("a managed identity", .daemon, .managedIdentity)
    } else if redirectURI.hasPrefix("http") {
      grant = .authorizationCode
    }
    if grant != before { isGrantRecorded = true }
    if request.sent["Origin"] != nil {
      kind = .page
    } else if request.sent["response_mode"] == "form_post" {
      // Only a server receives the form.
      kind = .webServer
    } else if request.sent["client_secret"] != nil || request.sent["client_assertion"] != nil {
      kind = grant == .clientCredentials ? .daemon : .webServer
    }
  }

  /// The ends of the addresses at which machines issue tokens (docs/behaviour/workloads.md §1(1)).
  private static let machinePaths = ["/metadata/identity/oauth2/token", "/msi/token", "/msi/auth"]

  private mutating func take(grantType: String) {
    grant =
      switch grantType {
      case "authorization_code": .authorizationCode
      case "refresh_token": .refreshToken
      case "password": .password
      case "client_credentials": .clientCredentials
      case "urn:ietf:params:oauth:grant-type:device_code": .deviceCode
      case "urn:ietf:params:oauth:grant-type:jwt-bearer": .onBehalfOf
      default: grant
      }
  }

  /// The kind of program, or the kind of most calls of such software.
  private var likelyKind: Program.Kind? { kind ?? (software == Self.bot ? .daemon : nil) }
  private static let bot = "a bot"

  /// The programs to try for a cause that any caller may have, the likeliest first.
  var programs: [Caller] {
    guard isProgram else { return [] }
    let kind = likelyKind ?? grant?.usualKind ?? .publicProgram
    let grant = grant ?? kind.usualGrant
    let first = Caller.program(kind.serves(grant) ? kind : grant.usualKind, grant)
    if grant == .managedIdentity { return [first, .program(.daemon, .clientCredentials)] }
    let ofPerson = kind.serves(.authorizationCode) ? kind : .webServer
    var others: [Caller] = [
      .program(ofPerson, .authorizationCode), .program(.publicProgram, .authorizationCode),
    ]
    // A response alone may belong to any grant.
    if showsAnswer, self.grant == nil {
      others += [.program(.daemon, .clientCredentials), .program(.publicProgram, .password)]
    }
    return [first] + others.filter { $0 != first && self.kind != .daemon }
  }

  /// Returns the difference between the lab's caller and the caller in the texts, or `nil` if they are of the same
  /// kind.
  ///
  /// `grant` is that of the program's failing call.
  func difference(from caller: Caller, sending grant: CallProgram.Grant?) -> String? {
    switch (caller, isProgram, platform) {
    case (.app, true, _):
      "the source is of \(displayText ?? "a program"), and the lab's app has MSAL for Apple's systems"
    case (.androidApp, true, _):
      "the source is of \(displayText ?? "a program"), and the lab's app has MSAL for Android"
    case (.app, _, .android?):
      "the source is of MSAL for Android, and the lab's app has MSAL for Apple's systems"
    case (.androidApp, _, .iOS?):
      "the source is of MSAL for Apple's systems, and the lab's app has MSAL for Android"
    case (.program, _, _?): "the source is of an app's SDK, and the lab's caller is \(caller.displayText)"
    case (.program(let kind, _), _, _): grant.flatMap { difference(from: kind, sending: $0) }
    default: nil
    }
  }

  /// Returns the difference in the kind of program or in its grant.
  ///
  /// A word of a text may belong to the sign-in before the call that redeems a refresh token. A kind that does not use
  /// the grant at all was read from a word that means something else.
  private func difference(from lab: Program.Kind, sending sent: CallProgram.Grant) -> String? {
    let continues = !isGrantRecorded && sent == .refreshToken
    if let grant, grant != sent, !continues || grant.standingIn(forSilent: true) != sent {
      return "the source's call uses \(grant.displayText), and the lab's \(sent.displayText)"
    }
    guard let kind = shownKind, kind != lab, lab != .daemon || kind != .webServer else { return nil }
    guard kind.serves(sent) || grant == nil else { return nil }
    return "the source is of \(kind.displayText), and the lab's caller is \(lab.displayText)"
  }

  /// The apps to try for a cause that any caller may have, the likeliest first.
  var apps: [Caller] { platform == .android ? [.androidApp, .app] : [.app] }

  /// Returns the word with which a program's SDK reports a closed window, or `nil` if it has no such word.
  func cancellation(of kind: Program.Kind) -> String? {
    if kind == .page { return "user_cancelled" }
    return software?.contains("MSAL.NET") == true ? "authentication_canceled" : nil
  }

  /// The word with which the program's SDK reports an expired device code, or `nil` if it passes on the provider's
  /// word.
  var expiredDeviceCode: String? {
    ["MSAL.NET", "PowerShell", "Azure CLI"].contains { software?.contains($0) == true } ? "code_expired" : nil
  }

  /// Returns the word with which a program's SDK reports an authority whose configuration it cannot read, or `nil` if
  /// it has no such word.
  func unreadableAuthority(of kind: Program.Kind) -> String? {
    if kind == .page { return "endpoints_resolution_error" }
    return software == nil || software == "MSAL Python" || software == "Azure CLI"
      ? "Unable to get authority configuration" : nil
  }

  /// Returns the sentence with which Azure's SDKs report that a machine refuses a token for its identity, or `nil` if
  /// they pass on another sentence.
  ///
  /// `shown` is the source's, which programs other than Azure CLI print too.
  func refusal(byMachine message: String, at request: String, shown: String?) -> String? {
    let ofADAL = "Get Token request returned http error"
    if software == "Azure CLI" || shown == ofADAL { return ofADAL }
    if request.contains("/msi/") { return "ManagedIdentityCredential authentication failed" }
    return Explanation.find(in: message).first { $0.family == .message }?.code
  }

  /// Returns the degree to which a caller agrees with the texts.
  func fit(of caller: Caller) -> Int {
    guard case .program(let kind, let grant) = caller else {
      return isProgram ? 0 : (platform == .android) == (caller == .androidApp) ? 3 : 0
    }
    // Without a hint, the caller is an app.
    guard isProgram else { return platform == nil ? 2 : 0 }
    return (likelyKind == kind ? 2 : 1) + (self.grant == grant ? 3 : self.grant == nil ? 1 : 0)
  }
}

extension Program.Kind {
  /// Returns whether such a program uses a grant at all.
  func serves(_ grant: CallProgram.Grant) -> Bool {
    switch self {
    case .page: [.authorizationCode, .refreshToken].contains(grant)
    case .publicProgram: ![.clientCredentials, .onBehalfOf, .managedIdentity].contains(grant)
    case .webServer: ![.deviceCode, .managedIdentity].contains(grant)
    case .daemon: [.clientCredentials, .password, .onBehalfOf, .managedIdentity].contains(grant)
    }
  }
}
