import SSOCore
import SSODevice

extension Cause.Mend {
  /// The change to the app's record, or `nil` for any other change.
  var changeOfApp: String? {
    guard case .list(let fields)? = steps.first?["set"]?["fields"], steps.first?["set"]?["app"] != nil,
      case .text(let change)? = fields.first
    else { return nil }
    return change
  }

  /// The change that a failed check proposes.
  init?(_ remedy: Remedy, on platform: Platform) {
    let field = String(remedy.change.prefix { $0.isLetter })
    let kind: Kind =
      switch (remedy.kind, field) {
      case (.registration, _): .registration
      case (.person, _): .account
      case (.device, _): .device
      case (.app, "urlSchemes"), (.app, "queriesSchemes"): .plist
      case (.app, "urlForwarding") where platform == .android: .manifest
      case (.app, "isActivityExported"): .manifest
      case (.app, "keychainAccessGroups"): .entitlement
      case (.app, _): platform == .android ? .configuration : .code
      }
    // A user flow gives tokens only for APIs of its own directory, and code declares the authority that it creates as known.
    let isWithPolicy = remedy.change.hasSuffix("/" + MSALApplication.usualPolicy)
    let isOfUserFlow = isWithPolicy || remedy.change == "authorityClass=" + AuthorityClass.b2c.rawValue
    let known = remedy.change.replacing("authority=", with: "knownAuthorities+=")
    let scopes: [YAMLValue] =
      (isOfUserFlow ? ["scopes=$client"] : []) + (isWithPolicy ? [.text(known)] : [])
    self.init(
      kind: kind,
      text: platform == .android && remedy.kind == .app
        ? Self.wordsOnAndroid(field, remedy.change) : Self.words(field, remedy.change),
      steps: [
        [
          "set": .map([
            .init(remedy.kind.rawValue, .text(remedy.record)),
            .init("fields", .list(scopes + [.text(remedy.change)])),
          ])
        ]
      ])
  }

  private static func wordsOnAndroid(_ field: String, _ change: String) -> String {
    let value = change.drop { $0 != "=" }.dropFirst()
    let hash = "SIGNATURE-HASH"
    switch field {
    case "urlForwarding":
      return
        "AndroidManifest.xml: add BrowserTabActivity with scheme msauth, host the package name, and path /\(hash)."
    case "redirectURI":
      let start = value.lastIndex(of: "/").map { value[...$0] } ?? value
      return
        "msal_config.json: set redirect_uri to \(start)\(hash), the percent-encoded hash of the certificate that signs "
        + "the build, and register it."
    case "isActivityExported":
      return "AndroidManifest.xml: set android:exported=\"true\" for BrowserTabActivity."
    case "authority": return "msal_config.json: set the authority to \(value)."
    case "clientID": return "msal_config.json: set client_id to \(value)."
    case "accountMode": return "msal_config.json: set account_mode to \(value)."
    default: return words(field, change)
    }
  }

  private static func words(_ field: String, _ change: String) -> String {
    let value = change.drop { $0 != "=" }.dropFirst()
    switch field {
    case "urlForwarding" where value == "sceneDelegate" || value == "both":
      return
        "Call MSALPublicClientApplication.handleMSALResponse in scene(_:openURLContexts:) of the scene delegate."
    case "urlForwarding":
      return
        "Call MSALPublicClientApplication.handleMSALResponse in application(_:open:options:) of the app delegate."
    case "urlSchemes": return "Info.plist: add \(value) to CFBundleURLTypes › CFBundleURLSchemes."
    case "queriesSchemes": return "Info.plist: add \(value) to LSApplicationQueriesSchemes."
    case "keychainAccessGroups": return "Entitlements: set keychain-access-groups to \(value)."
    case "redirectURI": return "Set the redirect URI in the code to \(value)."
    case "authority" where value.hasSuffix("/" + MSALApplication.usualPolicy):
      return "Add the name of the user flow to the authority in the code, as in \(value)."
    case "authority": return "Set the authority in the code to \(value)."
    case "authorityClass": return "Create the authority with \(value)."
    case "teamID": return "Signing & Capabilities: choose the team that signs the app (DEVELOPMENT_TEAM)."
    case "redirectURIs": return "App registrations › Authentication: add the redirect URI \(value)."
    case "webRedirectURIs" where change.contains("-="):
      return "App registrations › Authentication › Web: remove the redirect URI \(value)."
    case "spaRedirectURIs" where change.contains("-="):
      return "App registrations › Authentication › Single-page application: remove the redirect URI \(value)."
    case "webRedirectURIs": return "App registrations › Authentication › Web: add the redirect URI \(value)."
    case "spaRedirectURIs":
      return "App registrations › Authentication › Single-page application: add the redirect URI \(value)."
    case "allowsPublicClient":
      return "App registrations › Authentication: set “Allow public client flows” to Yes."
    case "requiredAPIs": return "App registrations › API permissions › Add a permission: choose \(value)."
    case "isDisabled":
      return "The administrator enables the account, or the app under Enterprise applications › Properties."
    case "isMultiTenant": return "App registrations › Authentication: allow accounts of any organisation."
    case "assigned": return "Enterprise applications › the app › Users and groups: assign \(value)."
    default: return "Change \(change)."
    }
  }
}
