import SSOReference

/// A finder of errors that an app, a tool, or a page prints outside of its SDK's log: exceptions, results, console
/// lines, event logs (docs/behaviour/real-logs.md §1).
///
/// No kind has a parser: `read` finds what `explain` knows, by code or by sentence.
enum PrintedError {
  /// Returns whether a line can contain an error.
  ///
  /// One pass over the bytes, because most lines of an app's log are about something else.
  static func isPossible(in line: LineBytes) -> Bool {
    guard line.count >= 8, let base = UnsafeRawPointer(line.bytes.baseAddress) else { return false }
    for index in 0...line.count - 4 {
      // In lowercase; digits and punctuation that are used here have the bit anyway.
      let four = base.loadUnaligned(fromByteOffset: index, as: UInt32.self) | 0x2020_2020
      switch four {
      case rror, xcep, aadb, fail, msal, cred, unab, cann, cant, ides, dsre, idx1, idx2, idw1, status, code,
        toke,
        miss, canc, redi, auth, expi:
        return true
      default: continue
      }
    }
    return false
  }

  private static let (rror, xcep, aadb, fail) = (four("rror"), four("xcep"), four("aadb"), four("fail"))
  private static let (msal, cred, unab, cann) = (four("msal"), four("cred"), four("unab"), four("cann"))
  private static let (cant, ides, dsre, toke) = (four("an't"), four("ides"), four("dsre"), four("toke"))
  private static let (idx1, idx2, idw1, miss) = (four("idx1"), four("idx2"), four("idw1"), four("miss"))
  private static let (status, code, canc, redi) = (four("tatu"), four("code"), four("canc"), four("redi"))
  private static let (auth, expi) = (four("auth"), four("expi"))

  private static func four(_ text: StaticString) -> UInt32 {
    UnsafeRawPointer(text.utf8Start).loadUnaligned(as: UInt32.self)
  }

  /// The lines beside a line in which an error is looked for.
  enum Surroundings {
    /// Any lines: only the codes that nothing but an identity SDK or the provider prints count.
    case any
    /// Lines without a known failure, which do not mention a sign-in.
    case onlyThese
    /// Lines without a known failure, which mention a sign-in: codes that other programs print too count.
    case identity
  }

  /// Returns whether a line of no known log contains an error of an identity SDK or of the provider.
  static func isError(_ text: String, among surroundings: Surroundings) -> Bool {
    Explanation.matches(in: text).contains { match in
      guard !match.isName else { return false }
      let code = match.explanation.code
      return switch match.explanation.family {
      case .aadsts, .b2c, .msal, .msalInternal, .identityCore: true
      case .keychain: code == KeychainError.missingEntitlement.text || surroundings == .identity
      case .library: !ofAnySoftware.contains(code) || surroundings == .identity
      case .message: match.explanation.isOfIdentity || surroundings == .identity
      case .windows:
        identityResults.contains { code.hasPrefix($0) }
          || surroundings == .identity && !code.hasPrefix("0x4AA")
      case .linuxBroker: code != LinuxBrokerStatus.unexpected.text || surroundings != .any
      case .oauth: surroundings != .any
      case .adal, .network, .webSession: surroundings == .identity
      case .state: false
      }
    }
  }

  /// Returns whether a text is about a sign-in with Entra ID or another provider.
  static func mentionsIdentity(_ text: String) -> Bool {
    let text = text.lowercased()
    return [
      "msal", "adal", "microsoft", "azure", "entra", "oauth", "openid", "dsreg", "aad", "wam ", "sign in",
      "signin",
      "sign-in", "credential", "access_token", "access token", "error code", "errorcode",
    ].contains { text.contains($0) }
  }

  /// The facilities of result codes that only the sign-in of Windows uses; `0x4AA` codes are notes.
  private static let identityResults = ["0xCAA", "0x801C", "0xC004"]

  /// Codes of the SDKs that other programs use as well.
  private static let ofAnySoftware: Set = [
    "not_found", "unknown_error", "network_error", "timed_out", "io_error", "invalid_parameter",
    "unexpected_error", "request_timeout", "out_of_memory", "unsupported_encoding", "null_object",
    "unsupported_url", "state_not_found", "refresh_token_expired", "throttled_request", "unsupported_method",
    "network_not_available", "network_unavailable", "NO_NETWORK", "PERSISTENT_ERROR", "TRANSIENT_ERROR",
    "USER_CANCEL", "ServerError", "operation_interrupted", "null_pointer_error", "service_not_available",
    "activity_required", "user_canceled", "authentication_failed",
  ]
}

extension Explanation {
  /// Whether only identity SDKs print the message.
  ///
  /// The messages about networks and certificates are those of the languages.
  fileprivate var isOfIdentity: Bool { !Self.languages.contains(domain) }

  private static let languages: Set = ["Python", "Java", "Node", ".NET", "Android", "azure-core for Java"]
}

extension Explanation {
  /// Returns explanations of the codes in a printed error, beginning with the most informative.
  ///
  /// The error of a lower layer is closer to the cause. Names of exceptions and codes that stand for any failure come
  /// last.
  static func ofError(_ text: String) -> [Explanation] {
    Explanation.matches(in: text).enumerated()
      .filter { $1.explanation.family != .state }
      .sorted { ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset) }
      .map(\.element.explanation)
  }

  /// The distance from the cause: of several codes in an error, the code with the smallest distance says most.
  var distance: Int {
    if let general = Self.general.firstIndex(of: code) { return 100 + general }
    if isClassName { return 200 }
    return Self.order.firstIndex { $0.contains(family) } ?? Self.order.count
  }

  /// Whether the code says only that something failed.
  var isGeneral: Bool {
    isClassName || Self.general.firstIndex(of: code).map { $0 >= Self.firstWithoutCause } ?? false
  }

  /// Whether the code is the name of an exception.
  private var isClassName: Bool {
    family == .library && code.first?.isUppercase == true
      && (code.hasSuffix("Exception") || code.hasSuffix("Error"))
  }

  private static let order: [Set<Family>] = [
    [.aadsts, .b2c], [.msalInternal], [.keychain], [.library, .message], [.identityCore], [.oauth],
    [.windows],
    [.network], [.webSession], [.linuxBroker], [.adal], [.msal],
  ]

  /// The number of codes at the beginning of ``general`` that name a cause.
  private static let firstWithoutCause = general.firstIndex(of: "broker_response_returned_error") ?? 0

  /// Codes beside which another code of the same error says more, the more specific ones first.
  private static let general = [
    "PKIX path building failed", "The SSL connection could not be established",
    "Max retries exceeded with url",
    "Max retries 3 times exceeded", "IDX20804", "IDX20803", "Interactive authentication is needed",
    "Failed to acquire token silently", "failed to retrieve a token from the included credentials",
    "Azure CLI not found on path", "Please run 'az login' to set up an account",
    "no response from the IMDS endpoint", "No managed identity endpoint found",
    "No accounts were found in the cache", "Environment variables are not fully configured",
    "microsoft-identity-broker.service: Failed", "microsoft-identity-device-broker.service: Failed",
    "broker_response_returned_error", "WAM_provider_error", "WAM_unexpected_error", "unknown_broker_error",
    "authentication_failed", "unknown_error", LinuxBrokerStatus.unexpected.text, MSALCode.internalError.text,
  ]
}

extension Explanation.Match {
  /// The distance of the explanation; a name may be an everyday word of a program's own, so it says less.
  fileprivate var distance: Int { explanation.distance + (isName ? 90 : 0) }
}
