import SSOCore
import SSOReference

/// An error with which an SDK rejects a call, as its app receives it (docs/behaviour/errors.md §1, §3).
///
/// It is structured data; `printed` formats it as the SDK does.
package struct SDKError: Error, Hashable, Sendable {
  /// The SDK that created the error, which determines how it is printed.
  package let sdk: SDKKind
  /// `MSALErrorDomain`, one of ``ADALError/Domain``, or a system domain that is passed through.
  package var domain: String
  /// The public code: MSAL's, ADAL's, an OSStatus, or an HTTP status, depending on the domain.
  package var code: Int
  /// MSAL's cause of -50000, which ADAL does not have.
  package var internalCode: Int?
  package var description: String
  /// The provider's error (`error` of RFC 6749 §5.2), or `nil` if the SDK itself rejected the call.
  package var oauthError: String?
  package var suberror: String?
  package var correlationID: String?
  /// The `ADUserIdKey` in ADAL's user info.
  package var userID: String?
  /// The check that caused the error, if the SDK says which.
  package var failedCheck: Check?
  /// Whether the cache contained nothing for the account, so nothing was sent.
  var isCacheMiss = false
  /// The other entries of the user info, in the order of docs/behaviour/errors.md §1.
  package var userInfo: [NameValue] = []
  /// The exception with which MSAL for Android or MSAL.NET reports the error, or `nil` if the SDK has codes.
  package var exception: MSALException?
  /// Whether Foundation created the error, which the SDK passes through with Foundation's user info and text.
  var isOfFoundation = false
  /// Whether instance discovery failed.
  var isOfDiscovery = false
}

extension SDKError {
  private var language: any ErrorLanguage.Type { sdk.errors }

  /// Whether the user closed the page or the broker.
  package var isCancellation: Bool {
    exception?.isCancellation ?? language.isCancellation(self)
  }

  /// Whether only an interactive sign-in can resolve the error; a call that does not name one of several accounts
  /// succeeds if it names one.
  package var needsInteraction: Bool {
    !isAmbiguous && (exception?.needsInteraction ?? language.needsInteraction(self))
  }

  /// Whether several accounts are signed in, and the call did not specify one.
  package var isAmbiguous: Bool { language.isAmbiguous(self) }

  /// Whether `code` is an OSStatus of the keychain.
  var isKeychainStatus: Bool {
    domain == MSALError.keychainDomain || domain == ADALError.Domain.keychain.rawValue
  }

  /// Whether an app that shares another app's sign-in might not have received the error.
  ///
  /// A call that does not specify one of several accounts fails whatever is shared.
  package var mayLackSharing: Bool {
    !isAmbiguous && (isCacheMiss || isKeychainStatus && code == KeychainError.missingEntitlement.number)
  }

  /// The most precise code, which is MSAL's internal code if there is one.
  package var preciseCode: Int { internalCode ?? code }

  /// The public code as text: a number, or the error code of an exception.
  var publicCodeText: String { exception == nil ? String(code) : codeText }

  /// The most precise code as text: a number, or the error code of an exception.
  package var codeText: String {
    exception.map { $0.errorCode ?? $0.className } ?? String(preciseCode)
  }

  /// A short description for a prediction.
  package var summary: String {
    if let exception { return ExceptionLanguage.summary(self, exception) }
    return domain == ADALError.Domain.http.rawValue
      ? "the server answers with status \(code)" : language.summary(self)
  }

  /// The text as it is printed on the device, except that lists are on one line; `(null)` is Objective-C's text for
  /// nil.
  package var printed: String {
    exception.map { ExceptionLanguage.printed(self, $0) } ?? language.printed(self)
  }
}

/// The codes and texts with which an SDK reports an error (docs/behaviour/errors.md §1, §3).
protocol ErrorLanguage {
  static var sdk: SDKKind { get }
  /// The description for an app that is active again, and whose SDK did not receive a response.
  static var notReceived: String { get }
  static func isCancellation(_ error: SDKError) -> Bool
  static func needsInteraction(_ error: SDKError) -> Bool
  static func isAmbiguous(_ error: SDKError) -> Bool
  static func summary(_ error: SDKError) -> String
  static func printed(_ error: SDKError) -> String
  /// Returns the error with the SDK's own code for the fault.
  static func make(_ fault: BrokerFault) -> SDKError
  /// Returns the error for a keychain status, which keeps its OSStatus.
  static func make(keychain status: KeychainError, _ description: String) -> SDKError
}

extension ErrorLanguage {
  static func make(
    domain: String, code: Int, _ description: String, oauthError: String? = nil, suberror: String? = nil
  ) -> SDKError {
    SDKError(
      sdk: sdk, domain: domain, code: code, description: description, oauthError: oauthError,
      suberror: suberror)
  }

  /// Returns NSJSONSerialization's error, which both SDKs pass through unchanged (docs/behaviour/errors.md §1(1)).
  ///
  /// Its text differs from one version of the system to the next.
  static func make(_ problem: JSONParseError) -> SDKError {
    let isCutOff = problem.reason == .truncated
    let text = isCutOff ? "Unexpected end of file" : "Invalid value around character \(problem.offset)."
    var error = make(domain: "NSCocoaErrorDomain", code: 3840, text)
    error.userInfo = [
      NameValue("NSDebugDescription", text),
      NameValue("NSJSONSerializationErrorIndex", String(problem.offset)),
    ]
    error.isOfFoundation = true
    error.failedCheck = Check(
      "response is JSON", expected: "a JSON object", found: text, false, source: "silent-call.md §3(7)",
      failure: "the response is not JSON")
    return error
  }
}

extension SDKKind {
  /// The SDK's errors.
  var errors: any ErrorLanguage.Type {
    switch self {
    case .msal: MSALError.self
    case .adal: ADALError.self
    }
  }
}

/// The reason that the app's side of the broker protocol stopped, as a code of IdentityCore.
///
/// Each SDK reports its own code for it to the app (docs/behaviour/errors.md §2).
struct BrokerFault: Error, Hashable {
  var code: IdentityCoreCode
  var reason: String
  /// The check that failed, or `nil` if all checks passed.
  var check: Check?

  init(_ code: IdentityCoreCode, _ reason: String, check: Check? = nil) {
    self.code = code
    self.reason = reason
    self.check = check
  }

  /// Returns the fault for an app that is active again, and whose SDK did not receive a response.
  static func notReceived(by sdk: SDKKind, check: Check) -> BrokerFault {
    BrokerFault(.brokerResponseNotReceived, sdk.errors.notReceived, check: check)
  }
}
