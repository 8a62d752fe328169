@testable import SSOCore

/// Random changes to the records of a generated lab, in the form that `ssoterm app set` and similar commands take.
struct GeneratedChanges {
  var random: Randomness

  let ofDevice = [
    "isLocked=yes", "isLocked=no", "isLocked=no", "platform=iOS", "platform=iOS", "platform=macOS",
    "platform=Android", "platform=Windows", "isShared=yes", "isShared=no",
  ]

  let ofPerson = [
    "isDisabled=yes", "isDisabled=no", "requiresMFA=yes", "requiresMFA=no", "displayName=Somebody",
    "password=q", "password=p",
  ]

  let ofRegistration = [
    "familyID=", "familyID=1", "familyID=2", "isPreauthorized=yes", "isPreauthorized=no", "refreshIn=60",
    "refreshIn=", "declinedScopes=User.Read", "declinedScopes=", "allowedScopes=Mail.Read",
    "allowedScopes=User.Read,Mail.Read", "isMultiTenant=no", "isMultiTenant=yes", "redirectURIs=",
  ]

  let ofTenant = [
    "detectsRefreshTokenReuse=yes", "detectsRefreshTokenReuse=no", "runsADFS=yes", "runsADFS=no",
  ]

  /// Returns changes to the app with this number, counted from 1.
  func ofApp(_ number: Int) -> [String] {
    let group = "$(AppIdentifierPrefix)" + GeneratedWorld.groups[0]
    return GeneratedWorld.clients.map { "clientID=\($0)" } + Self.authorities.map { "authority=\($0)" } + [
      "teamID=K1L2M3N4O5", "teamID=A1B2C3D4E5", "keychainSharingGroup=",
      "keychainSharingGroup=\(GeneratedWorld.groups[0])", "keychainAccessGroups=",
      "keychainAccessGroups=\(group)",
      "brokerUse=auto", "brokerUse=none", "queriesSchemes=", "queriesSchemes=msauth,msauthv2,msauthv3",
      "urlSchemes=x-app\(number),msauth.com.myapp.mytestapp\(number)", "webView=embedded",
      "urlForwarding=neither", "urlForwarding=both", "redirectURI=http://localhost",
      "redirectURI=msauth.com.myapp.mytestapp\(number)://auth", "platform=", "platform=iOS",
      "platform=Android",
      "isExtension=yes", "isExtension=no", "bypassesRedirectValidation=yes", "bypassesRedirectValidation=no",
      "scopes=Mail.Read", "scopes=User.Read", "tokenExpirationBuffer=3000", "tokenExpirationBuffer=",
      "knownAuthorities=https://contoso.b2clogin.com/contoso.com/b2c_1_signin", "knownAuthorities=",
    ]
  }

  /// Authorities of every cloud and kind, with a port, with an IPv6 address, and some invalid ones.
  static let authorities = [
    "https://login.microsoftonline.com/common", "https://login.microsoftonline.com/common",
    "https://login.windows.net/organizations", "https://login.microsoftonline.com/consumers",
    "https://LOGIN.microsoftonline.com/\(GeneratedWorld.home)",
    "https://login.partner.microsoftonline.cn/common",
    "https://login.microsoftonline.us/\(GeneratedWorld.other)", "https://login.example/common",
    "https://contoso.b2clogin.com/contoso.com/b2c_1_signin",
    "https://login.microsoftonline.com/tfp/contoso.com/b2c_1_signin", "https://contoso.ciamlogin.com/",
    "https://sts.contoso.com/adfs", "https://localhost:8443/common", "https://[::1]:8443/common",
    "https://login.microsoftonline.com", "http://login.microsoftonline.com/common",
  ]
}
