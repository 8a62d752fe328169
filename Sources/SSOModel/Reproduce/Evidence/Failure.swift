import SSOCore
import SSODevice
import SSOReference

/// The point at which a call fails: its codes, and who reports them.
///
/// The same type describes the failure in a source and the failure in the lab. A property is `nil` if it
/// is not shown, or does not exist.
package struct Failure: Hashable, Sendable {
  /// The party whose response ends the call.
  package enum Place: String, CaseIterable, Sendable {
    case authorize, token, discovery, keychain, sdk, nativeAuth

    package var displayText: String {
      switch self {
      case .authorize: "authorization endpoint"
      case .token: "token endpoint"
      case .discovery: "discovery endpoint"
      case .keychain: "keychain"
      case .sdk: "SDK"
      case .nativeAuth: "endpoint of native authentication"
      }
    }
  }

  /// The letters before Entra's numbers.
  static let numberPrefix = "AADSTS"
  static let b2cPrefix = "AADB2C"

  /// Entra's number, such as 65001.
  package var aadsts: Int?
  /// Azure AD B2C's number in place of Entra's, such as 90091.
  package var b2c: Int?
  /// The status of the keychain, such as -34018.
  package var keychainStatus: Int?
  package var place: Place?
  /// The code that the app receives: for MSAL, the internal code behind -50000 if there is one.
  package var sdkCode: Int?
  package var domain: String?
  /// The code of an SDK whose codes are words, such as `no_tokens_found`, or the class of an exception without a code.
  package var symbol: String?
  package var oauthError: String?
  package var suberror: String?
  /// Whether the browser withheld the token endpoint's response from the page, as its console says; the response has
  /// the number.
  var isBlocked = false
  /// The title of a page of Entra, if the source shows no number.
  var pageTitle: PageTitle?
  /// The numbers that Entra reports today for the older number that the source shows.
  var todaysNumbers: [Int] = []

  package init() {}

  package var isEmpty: Bool {
    number == nil && keychainStatus == nil && sdkCode == nil && symbol == nil && oauthError == nil
      && !isBlocked && pageTitle == nil
  }

  /// The code of a failure that shows nothing more precise, if it has more causes than the lab tries: an OAuth error, as
  /// a word, as a result of Windows, or behind -50002, or the code with which MSAL for Android reports any other
  /// exception.
  var vagueCode: String? {
    guard number == nil, keychainStatus == nil else { return nil }
    if isBlocked { return "a request that the browser blocked" }
    if let pageTitle { return "the page “\(pageTitle.words)” without its number" }
    // Masked logs have the provider's error, and not its number.
    if specificCode == MSALCode.interactionRequired.number { return oauthError }
    if let code = specificCode, Self.ofOAuthErrors.contains(code) { return oauthError ?? "code \(code)" }
    // MSAL's code for anything that has no other code.
    if let code = specificCode, code == MSALCode.unexpected.number { return "code \(code)" }
    guard specificCode == nil else { return nil }
    // The word of a device code has one cause.
    guard let symbol else {
      return oauthError == OAuthErrorCode.authorizationDeclined.text ? nil : oauthError
    }
    return symbol == "unknown_error" || WindowsResult(code: symbol) != nil ? symbol : nil
  }

  /// MSAL's codes that only stand for an OAuth error (docs/behaviour/errors.md §2).
  private static let ofOAuthErrors = Set(
    [MSALCode.invalidRequest, .invalidClient, .invalidGrant, .invalidScope, .unauthorizedClient].map(\.number)
  )

  /// The codes of SDKs for a sign-in that the user ended.
  private static let cancellations: Set = [
    "user_cancelled", "authentication_canceled", "MsalUserCancelException",
  ]

  /// Whether the codes say only that the user ended the sign-in: the page may have shown any error, or none.
  private var isCancellation: Bool {
    guard number == nil, keychainStatus == nil else { return false }
    return specificCode == MSALCode.userCanceled.number || symbol.map(Self.cancellations.contains) == true
  }

  /// Returns the difference of the lab's failure from a source that shows only that the user ended the sign-in, or
  /// `nil`.
  fileprivate func cancellationDifference(with shown: Failure) -> String? {
    guard shown.isCancellation, let number else { return nil }
    return "the source shows only that the user ended the sign-in, and the lab's page has \(number)"
  }

  /// The refusal that a page cannot read, because it has no header for another origin (Microsoft: Microsoft identity
  /// platform and OAuth 2.0 authorization code flow, "Redirect URIs for single-page apps").
  static let blockedCode = AADSTSCode.crossOriginRefused.text

  /// The provider's number with its prefix, such as `AADSTS65001`.
  var number: String? {
    aadsts.map { Self.numberPrefix + String($0) } ?? b2c.map { Self.b2cPrefix + String($0) }
  }

  /// The codes by which the table of causes is searched, with the closest to the cause first.
  var codes: [String] {
    (number == nil && isBlocked ? [Self.blockedCode] : [])
      + (number == nil ? [pageTitle?.number.text].compactMap(\.self) : [])
      + todaysNumbers.map { Self.numberPrefix + String($0) }
      + [
        number, keychainStatus.map(String.init), sdkCode.map(String.init), symbol, suberror, oauthError,
      ].compactMap(\.self)
  }

  /// The codes in one line, such as `AADSTS65001 at the token endpoint, MSALErrorDomain -50002`.
  package var displayText: String {
    var words: [String] = []
    if let number { words.append(number) }
    if let keychainStatus { words.append("OSStatus \(keychainStatus)") }
    if let place, place != .sdk, !words.isEmpty {
      words[words.count - 1] += place == .keychain ? " of the keychain" : " at the \(place.displayText)"
    }
    if let sdkCode, sdkCode != keychainStatus {
      words.append([domain, String(sdkCode)].compactMap(\.self).joined(separator: " "))
    }
    if let symbol, symbol != oauthError {
      words.append(domain.map { $0 == symbol ? symbol : $0 + " " + symbol } ?? symbol)
    }
    if words.isEmpty, let oauthError { words.append(oauthError) }
    if words.isEmpty, isBlocked { words.append("a token request that the browser blocked") }
    if words.isEmpty, let pageTitle { words.append("the page “\(pageTitle.words)”") }
    return words.isEmpty ? "no code" : words.joined(separator: ", ")
  }
}

// MARK: - Comparison

/// The result of comparing the lab's failure with the failure in a source.
struct FailureComparison: Hashable, Sendable {
  /// The degree of agreement; a higher value is nearer.
  package enum Level: Int, Comparable, Sendable {
    case different, sdkCodeOnly, todaysNumber, numberElsewhere, number, same

    package static func < (one: Level, other: Level) -> Bool { one.rawValue < other.rawValue }
  }

  package var level: Level
  /// The difference as a sentence, or `nil` if both are the same.
  package var difference: String?
  /// Whether the lab's error may be on the page that the user closed, of which the source shows nothing.
  private(set) var mayBeOnClosedPage = false

  /// The comparison for a project without another source, whose own failure is the one to reproduce.
  static let ofProject = FailureComparison(level: .same, difference: nil)

  private init(level: Level, difference: String?) { (self.level, self.difference) = (level, difference) }

  /// Compares number and place, and then the SDK's code.
  ///
  /// Values that the source does not show are not compared.
  init(_ lab: Failure, with shown: Failure) {
    let number = shown.number ?? shown.keychainStatus.map(String.init)
    let labNumber = shown.number == nil ? lab.keychainStatus.map(String.init) : lab.number
    let code = shown.specificCode
    let isSameCode = code == nil || code == lab.sdkCode
    guard let number else {
      if let text = lab.cancellationDifference(with: shown) {
        (level, difference) = (.sdkCodeOnly, text)
        mayBeOnClosedPage = true
      } else if shown.isBlocked {
        let isSame = lab.number == Failure.blockedCode
        (level, difference) =
          isSame ? (.same, nil) : (.different, "the browser would not block the lab's answer")
      } else if let title = shown.pageTitle {
        let isSame = lab.aadsts == title.number.rawValue
        (level, difference) =
          !isSame
          ? (.different, "the lab's page is another one")
          : lab.place == .authorize ? (.same, nil) : (.numberElsewhere, "the lab does not show a page")
      } else if code == nil, let symbol = shown.symbol {
        let isSame = symbol == lab.symbol
        (level, difference) =
          !isSame
          ? (.different, "the lab's code is \(lab.symbol ?? "missing"), and the source shows \(symbol)")
          : shown.domain == nil || shown.domain == lab.domain
            ? (.same, nil)
            : (
              .number,
              "the lab's exception is \(lab.domain ?? "none"), and the source shows \(shown.domain ?? "none")"
            )
      } else if code == nil {
        let isSame = shown.oauthError != nil && shown.oauthError == lab.oauthError
        (level, difference) =
          isSame ? (.same, nil) : (.different, "the source does not show a code to compare")
      } else if !isSameCode {
        let isSameError =
          shown.oauthError != nil && shown.oauthError == lab.oauthError
          && (shown.suberror == nil || shown.suberror == lab.suberror)
        (level, difference) = (isSameError ? .sdkCodeOnly : .different, Self.codes(lab, shown))
      } else if shown.oauthError != nil, lab.oauthError != shown.oauthError {
        (level, difference) = (
          .sdkCodeOnly,
          "the OAuth error is \(lab.oauthError ?? "missing"), and the source shows \(shown.oauthError ?? "none")"
        )
      } else {
        (level, difference) = (.same, nil)
      }
      return
    }
    guard number == labNumber else {
      if let today = lab.aadsts, shown.todaysNumbers.contains(today) {
        level = .todaysNumber
        difference = "Entra reports \(lab.number ?? "") today for what the source shows as \(number)"
        return
      }
      level = isSameCode && code != nil ? .sdkCodeOnly : .different
      difference = "the source shows \(shown.displayText)"
      return
    }
    if let place = shown.place, let labPlace = lab.place, place != labPlace {
      level = .numberElsewhere
      difference = "the source shows it at the \(place.displayText), the lab at the \(labPlace.displayText)"
    } else if !isSameCode {
      level = .number
      difference = Self.codes(lab, shown)
    } else if code == nil, let symbol = shown.symbol, Self.isOfSDK(symbol), symbol != lab.symbol {
      level = .number
      difference =
        "the lab's code is \(lab.symbol ?? lab.sdkCode.map(String.init) ?? "missing"), "
        + "and the source shows \(symbol)"
    } else {
      (level, difference) = (.same, nil)
    }
  }

  /// Returns whether a word is an SDK's code, and not the beginning of its sentence.
  private static func isOfSDK(_ symbol: String) -> Bool {
    Explanation.Family.library.explanation(of: symbol) != nil || WindowsResult(code: symbol) != nil
  }

  private static func codes(_ lab: Failure, _ shown: Failure) -> String {
    "the SDK's code is \(lab.sdkCode.map(String.init) ?? "missing"), "
      + "and the source shows \(shown.sdkCode.map(String.init) ?? "none")"
  }
}

extension Failure {
  /// The SDK's code, or `nil` for -50000, which only says that an internal code follows.
  var specificCode: Int? { sdkCode == MSALCode.internalError.number ? nil : sdkCode }
}

// MARK: - The lab's failure

extension Failure {
  /// The failure of a call in the lab, or `nil` if it succeeded.
  init?(of trace: Trace) {
    guard let outcome = trace.outcome, outcome.verdict != .succeeded else { return nil }
    self.init()
    domain = outcome.errorDomain
    sdkCode = outcome.errorCode
    symbol = outcome.error?.symbol ?? domain.flatMap { $0.hasPrefix("Msal") ? $0 : nil }
    place = .sdk
    oauthError = outcome.error?.oauth
    suberror = outcome.error?.suberror
    if domain == MSALError.keychainDomain {
      (keychainStatus, place) = (outcome.errorCode, .keychain)
      return
    }
    guard let refused = trace.hops.finalRefusal, let number = refused.refusal?.number else { return }
    if number.hasPrefix("MSIS"), symbol == nil { symbol = number }
    (aadsts, b2c) = (
      Self.digits(of: number, after: Self.numberPrefix), Self.digits(of: number, after: Self.b2cPrefix)
    )
    place = refused.providerPlace
    if oauthError == nil { oauthError = refused.refusal?.error }
  }
}

extension Failure {
  /// The codes of a call that a log shows.
  init(ofSource trace: Trace) {
    self.init()
    let checks = trace.hops.flatMap(\.checks).filter { $0.verdict == .failed }.map(\.found)
    let outcome = trace.outcome.map {
      [$0.errorDomain, $0.errorCode.map(String.init), $0.errorText, $0.summary]
    }
    for text in (outcome ?? []).compactMap(\.self) + checks { take(String(text.prefix(4_000))) }
  }

  private static func digits(of number: String, after prefix: String) -> Int? {
    number.hasPrefix(prefix) ? Int(number.dropFirst(prefix.count)) : nil
  }
}

// MARK: - Pages

/// The title of an error page of Entra, whose number is only under “More details”.
///
/// The page most often has these numbers there (Microsoft: Troubleshooting sign-in problems with Conditional
/// Access; Unexpected consent prompt when signing in to an application).
struct PageTitle: Hashable, Sendable {
  let words: String
  let number: AADSTSCode

  static let all = [
    PageTitle(words: "You cannot access this right now", number: .blockedByPolicy),
    PageTitle(words: "Need admin approval", number: .adminConsentRequired),
  ]

  /// Returns the title that a line has at its beginning, or `nil` if the line does not begin with a title.
  static func find(in line: Substring) -> PageTitle? {
    let text = line.drop { !$0.isLetter }.replacing("can't", with: "cannot").replacing(
      "can’t", with: "cannot")
    return all.first { text.lowercased().hasPrefix($0.words.lowercased()) }
  }
}

// MARK: - Windows

/// The result with which the Windows broker reports the provider's OAuth error.
///
/// They are the rows of `assets/reference/windows.tsv` whose meaning is that the server returned an OAuth error.
struct WindowsResult {
  let code: String
  let oauthError: String

  static let all: [WindowsResult] = Explanation.all(of: .windows).compactMap { row in
    let words = row.meaning.split(separator: " ", maxSplits: 2)
    guard row.name.hasPrefix("ERROR_ADAL_SERVER_ERROR_"), words.starts(with: ["Server", "answered"]),
      let error = words.last?.prefix(while: { $0.isLetter || $0 == "_" }),
      OAuthErrorCode(rawValue: String(error)) != nil
    else { return nil }
    return WindowsResult(code: row.code, oauthError: String(error))
  }

  private init(code: String, oauthError: String) { (self.code, self.oauthError) = (code, oauthError) }

  init?(code: String) { self.init { $0.code == code } }
  init?(oauthError: String) { self.init { $0.oauthError == oauthError } }

  private init?(_ isWanted: (WindowsResult) -> Bool) {
    guard let found = Self.all.first(where: isWanted) else { return nil }
    self = found
  }
}
