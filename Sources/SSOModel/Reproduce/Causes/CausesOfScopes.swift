import SSOLab
import SSOReference

/// The causes in the scopes that programs ask for, and in the permissions that their registrations list.
extension Cause {
  static let ofPermissions: [Cause] = [
    Cause(
      name: "scope-malformed", codes: [AADSTSCode.scopeInvalid.text],
      text: "A scope of the call is neither a permission of Graph nor a URI with a permission.",
      question: "Does a scope have a slash, without https:// or api:// in front?",
      callers: code + device + password,
      call: .program(scopes: ["orders/read"]),
      mends: [.call(.interactive, "Write scopes as URI/permission: api://CLIENT-ID/read, or User.Read.")]),
    Cause(
      name: "scopes-of-several-apis", codes: [AADSTSCode.severalResources.text],
      text: "The call asks for scopes of more than one API.",
      question: "Do the scopes begin with different URIs?", callers: code + device + password,
      call: .program(scopes: [
        "https://graph.microsoft.com/User.Read", "https://management.azure.com/user_impersonation",
      ]),
      mends: [
        .call(
          .program(scopes: ["https://management.azure.com/user_impersonation"]),
          "Ask for the scopes of one API, and for each other API with another call.")
      ]),
    Cause(
      name: "api-not-among-permissions", codes: [AADSTSCode.resourceNotRequired.text],
      text: "The registration does not list a permission of the API that the call asks for.",
      question: "Is the API listed under API permissions?", callers: code + device + password,
      changes: [.registration("requiredAPIs=api://example.com/other")],
      call: .program(scopes: ["https://graph.microsoft.com/.default", "openid", "profile"]),
      mends: [
        .registration(
          "requiredAPIs+=https://graph.microsoft.com",
          "App registrations › API permissions › Add a permission: choose the API.")
      ]),
    Cause(
      name: "no-permission-listed", codes: [AADSTSCode.noPermissionListed.text],
      text: "The registration does not list any permissions, and the call asks for the listed ones.",
      question: "Is the list under API permissions empty?", callers: code + device + password,
      changes: [.registration("requiredAPIs=[]")],
      call: .program(scopes: ["https://graph.microsoft.com/.default", "openid", "profile"]),
      mends: [
        .registration(
          "requiredAPIs+=https://graph.microsoft.com",
          "App registrations › API permissions › Add a permission: Microsoft Graph › User.Read, and consent to it."
        )
      ]),
    Cause(
      name: "default-beside-permissions", codes: [AADSTSCode.scopeInvalid.text],
      text: "The call asks for .default beside a permission.",
      question: "Is /.default among the scopes, or does a library add it?", callers: code + device + password,
      call: .program(scopes: [
        "https://graph.microsoft.com/.default", "https://graph.microsoft.com/User.Read",
      ]),
      mends: [
        .call(
          .program(scopes: ["https://graph.microsoft.com/.default"]),
          "Ask either for RESOURCE/.default or for permissions of the resource.")
      ]),
    Cause(
      name: "microsoft-app-not-preauthorized", codes: [AADSTSCode.notPreauthorized.text],
      text: "The client ID is that of an app of Microsoft's, which is not preauthorized for the scope.",
      question: "Whose client ID is it, and does the API's documentation name a client for it?",
      changes: [.registration("publisher=Microsoft"), .registration("allowedScopes=User.Read")],
      call: .interactive(scopes: ["https://graph.microsoft.com/Mail.Read"]),
      mends: [
        Mend(
          kind: .registration,
          text: "Register an app of your own, and use its client ID in place of Microsoft's.",
          steps: [
            [
              "set": [
                "registration": "$client", "fields": ["publisher=Contoso", "allowedScopes="],
              ]
            ]
          ]),
        .call(
          .interactive(scopes: ["https://graph.microsoft.com/User.Read"]),
          "Ask only for scopes for which Microsoft has preauthorized its app."),
      ]),
    Cause(
      name: "consent-missing-with-password", codes: [AADSTSCode.consentMissing.text],
      text:
        "The scopes have no consent, and a sign-in with a password does not show a page on which to consent.",
      question: "Has an administrator granted consent, or has the user signed in on a page before?",
      callers: password, changes: [.registration("isPreauthorized=no")], call: .interactive,
      mends: [.consentByAdministrator, signInWithPage]),
  ]
}
