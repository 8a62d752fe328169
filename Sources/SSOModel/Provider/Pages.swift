/// What the person sees in the browser or web view. Text in it is the provider's: draw it as untrusted.
public enum Page: Codable, Hashable, Sendable {
  case signIn(SignInPage)
  case consent(ConsentPage)
  case error(ErrorPage)
  case deviceCode(DeviceCodePage)
  case notice(NoticePage)
}

/// The sign-in page. Answer it with `POST /{tenant}/login` (`flow`, and `username`, `password`, `code` or
/// `cancel`).
public struct SignInPage: Codable, Hashable, Sendable {
  public enum Ask: Codable, Hashable, Sendable {
    case username
    case password
    /// The number to enter for the second factor, two digits: `42`.
    case verification(String)
  }

  public var tenantName: String
  public var appName: String
  public var clientID: String
  public var redirectURI: String
  /// Filled from `login_hint` or from what was typed before; otherwise empty.
  public var username: String
  public var asks: Ask
  /// Why the last answer did not do: `AADSTS50126: …`.
  public var failure: String?
  /// User names signed in to this browser, last used first: each may be picked without a password.
  public var accountsInSession: [String]
  /// Names this sign-in in the answer; a secret of the browser.
  public var flowID: String
}

/// The consent page. Answer it with `POST /{tenant}/consent` (`flow`, and `accept` or `cancel`): all or
/// nothing.
public struct ConsentPage: Codable, Hashable, Sendable {
  public var appName: String
  public var clientID: String
  public var publisher: String
  public var username: String
  public var scopes: [ConsentScope]
  public var flowID: String
  /// Asked besides, or instead if every scope is granted already: whether it is this app on the other device
  /// (RFC 8628 §5.4).
  public var question: String?
  /// Where the answer leads; nil in a page of an older version, empty if it is for another device.
  public var redirectURI: String?
}

public struct ConsentScope: Codable, Hashable, Sendable {
  public var scope: String
  /// What it allows, in words: `Sign you in and read your profile`.
  public var meaning: String
  public var alreadyGranted: Bool
}

/// A page that leads nowhere: the app never hears of it, the person can only close it.
public struct ErrorPage: Codable, Hashable, Sendable {
  /// 700016 in `AADSTS700016`.
  public var aadsts: Int
  public var message: String
  public var correlationID: String
}

/// Where the person types the code that another device shows. Answer it with
/// `POST /common/oauth2/deviceauth` (`user_code`).
public struct DeviceCodePage: Codable, Hashable, Sendable {
  /// From the link, to be confirmed; otherwise empty.
  public var userCode: String
  /// Why the last code did not do: `AADSTS70018: …`.
  public var failure: String?
}

/// The end of a story: nothing is left to answer.
public struct NoticePage: Codable, Hashable, Sendable {
  public var title: String
  public var message: String
  /// The person said no; nil is no refusal.
  public var isRefusal: Bool?
}

/// What the provider answers: the HTTP response, and the page as a value where the response shows one.
public struct ProviderAnswer: Codable, Hashable, Sendable {
  public var http: HTTPResponse
  public var page: Page?
  /// Cookies for the origin asked, name and value; an empty value deletes. Also in `Set-Cookie` of `http`.
  public var setCookies: [SentField]
  /// Whoever has the connection carries it out.
  public var delivery = Delivery.whole

  public init(_ http: HTTPResponse, page: Page? = nil, setCookies: [SentField] = []) {
    self.http = http
    self.page = page
    self.setCookies = setCookies
  }
}
