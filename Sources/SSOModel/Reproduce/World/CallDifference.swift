import SSOCore
import SSODevice
import SSODoctor
import SSOLab
import SSOReference

extension Evidence {
  /// Returns the difference of the lab's failing call from the call that the sources show, or `nil` if they do not show
  /// a call.
  ///
  /// Values that no source shows are not compared.
  func difference(from step: Attempt.Step, by caller: Caller) -> String? {
    let isInLab = step.isSilentCall
    if let isSilent, let isInLab, isSilent != isInLab {
      return "the source's call is \(CallKind(isSilent: isSilent).rawValue), "
        + "and the lab's is \(CallKind(isSilent: isInLab).rawValue)"
    }
    if EarlierNumber.namesAnotherCause(failure.aadsts, sentences) {
      return "the number has many causes, and the source's sentence names another one"
    }
    // Entra once had the number for refresh tokens too.
    if failure.aadsts == AADSTSCode.grantExpired.rawValue,
      step.grant ?? .authorizationCode == .authorizationCode,
      sentences.contains(where: {
        let text = $0.lowercased()
        // The sentence of the number itself names both.
        return text.contains("refresh token has expired")
          && !text.contains("code or refresh token has expired")
      })
    {
      return "the source's call redeems a refresh token, and the lab's a code"
    }
    return self.caller.difference(from: caller, sending: step.grant)
  }

  /// Returns the clause about a grant that the source shows and the lab's failing call does not use, or `nil` if they are the
  /// same: the program redeems the refresh token of a sign-in.
  func grantClause(_ step: Attempt.Step?) -> String? {
    guard chosen[.caller] == nil, let shown = caller.grant, let played = step?.grant, shown != played,
      played == .refreshToken
    else {
      return nil
    }
    return
      "the source shows \(shown.displayText), and the failing call redeems the refresh token of such a sign-in"
  }

  /// Returns the difference in the parameter that the provider's sentence names, or `nil` if the source does not name
  /// one.
  func parameterDifference(in trace: Trace) -> String? {
    let numbers: [AADSTSCode] = [.bodyParameterMissing, .fieldMissing, .parameterRepeated]
    guard let parameter, numbers.contains(where: { $0.number == failure.aadsts }) else { return nil }
    let texts =
      [trace.outcome?.summary, trace.outcome?.errorText].compactMap(\.self) + trace.hops.map(\.result)
    return texts.contains { $0.contains("'\(parameter)'") }
      ? nil : "the source's error names the parameter \(parameter), and the lab's another"
  }

  /// The words by which the sentences of a number name different mistakes.
  private static let distinctive: [(number: AADSTSCode, words: [String])] = [
    (.assertionInvalid, ["use of the key to verify the signature failed", "the key was not found"]),
    (.grantInvalid, ["one or more scopes requested"]),
    (
      .scopeInvalid,
      [".default scope can't be combined", "not compatible with each other", "scope format is invalid"]
    ),
  ]

  /// Returns the difference in what the sentence of a number with several sentences names, or `nil` if the source shows
  /// no such sentence.
  func sentenceDifference(in trace: Trace) -> String? {
    guard let row = Self.distinctive.first(where: { $0.number.rawValue == failure.aadsts }),
      let shown = sentences.first(where: { $0.contains(row.number.text) }),
      let start = shown.firstRange(of: row.number.text)?.upperBound
    else { return nil }
    let sentence = shown[start...].prefix(400).lowercased()
    guard let named = row.words.first(where: sentence.contains) else { return nil }
    let texts =
      [trace.outcome?.summary, trace.outcome?.errorText].compactMap(\.self) + trace.hops.map(\.result)
    return texts.contains { $0.lowercased().contains(named) }
      ? nil : "the source's sentence says “\(named)”, and the lab's does not"
  }

  /// MSAL's codes for that stand for several mistakes, each with its own sentence.
  private static let withSentences = [MSALCode.invalidParameter, .redirectSchemeNotRegistered].map(\.number)

  /// Returns the difference of the lab's description from the source's if the code stands for several mistakes, or `nil`
  /// if they are about the same one.
  func descriptionDifference(in trace: Trace) -> String? {
    guard failure.number == nil, let code = failure.specificCode, Self.withSentences.contains(code),
      let lab = trace.outcome?.errorText.flatMap(Self.description)
    else { return nil }
    let labWords = Self.words(of: lab)
    guard let shown = sentences.lazy.compactMap({ Self.description(in: $0) }).first else {
      let isWhole = sentences.contains { labWords.isSubset(of: Self.words(of: $0)) }
      return isWhole || code != MSALCode.invalidParameter.number
        ? nil : "the source shows only code \(code), which stands for several mistakes"
    }
    let words = Self.words(of: shown)
    return words.intersection(labWords).count * 2 >= words.union(labWords).count
      ? nil : "the source's sentence for code \(code) names another mistake than the lab's"
  }

  /// Returns the sentence of an error of MSAL, or `nil` if the text does not contain one.
  private static func description(in text: String) -> String? {
    guard let key = text.firstRange(of: "MSALErrorDescriptionKey") else { return nil }
    let rest = text[key.upperBound...].drop { " =:\"".contains($0) }
    // The sentence about scopes begins with a list in braces.
    let end = [", MSAL", ", NS", "\";"].compactMap { rest.firstRange(of: $0)?.lowerBound }.min()
    let sentence = rest[..<(end ?? rest.lastIndex(of: "}") ?? rest.endIndex)]
    return sentence.contains(" ") ? String(sentence) : nil
  }

  private static func words(of text: String) -> Set<String> {
    Set(text.lowercased().split { !$0.isLetter }.filter { $0.count > 2 }.map(String.init))
  }

  /// Returns the difference between a cause in an app's files and the project, whose files do not have it, or `nil` for
  /// another cause or without the app's project.
  func projectDifference(_ cause: Cause) -> String? {
    guard cause.isOfFiles, let found = diagnosis.flatMap(app) else { return nil }
    if found.unread.contains(where: { $0.kind == .redirectURI }) { return nil }
    return "the project's files do not have this mistake: the build that failed differs from them"
  }

  /// Returns the difference between the redirect URI that the lab's call sends and the source's, if it decides, or
  /// `nil` if no source shows one.
  func redirectDifference(in attempt: Attempt) -> String? {
    guard failure.aadsts == AADSTSCode.redirectURINotRegistered.rawValue,
      let shown = self.shown(.redirectURI),
      let sent = attempt.world.programs.first?.redirectURI ?? attempt.world.apps.first?.redirectURI
    else { return nil }
    func plain(_ uri: String) -> String {
      let text = (FormEncoding.decodeText(uri[...], plusIsSpace: false) ?? uri).lowercased()
      return text.hasSuffix("/") ? String(text.dropLast()) : text
    }
    return plain(shown) == plain(sent)
      ? nil : "the source's redirect URI is \(shown), and the lab's call sends \(sent)"
  }
}

extension Attempt.Step {
  /// The grant of a program's call, or `nil` for another step.
  var grant: CallProgram.Grant? {
    action[CallProgram.verb]?["grant"]?.asText.flatMap(CallProgram.Grant.init(rawValue:))
  }

  /// Whether the call does not show a page, or `nil` for a call that never asks the user.
  var isSilentCall: Bool? {
    guard let call = action[CallProgram.verb] else { return action["silent"] != nil }
    switch grant {
    case .refreshToken: return true
    case .authorizationCode: return call["prompt"] == .text("none")
    case .deviceCode: return false
    case .password, .clientCredentials, .onBehalfOf, .managedIdentity, nil: return nil
    }
  }
}
