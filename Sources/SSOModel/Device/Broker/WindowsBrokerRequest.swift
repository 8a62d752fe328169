import SSOCore

/// A request of MSAL.NET to the Web Account Manager, as a trace shows it (docs/behaviour/broker.md §2(8)).
///
/// It is an `AuthParameters` with its properties. SSOTerm passes its broker the same values as on iOS.
struct WindowsBrokerRequest {
  let request: BrokerRequest
  let app: InstalledApp

  /// The values of `GetCommonAuthParameters` (MSAL.NET, `WamAdapters.cs`), and the arguments of the call.
  var fields: [NameValue] {
    let values: [(name: String, value: String?)] = [
      ("ClientId", request.clientID), ("Authority", request.authority),
      ("RequestedScopes", request.values[.scope]), ("RedirectUri", request.redirectURI),
      ("DecodedClaims", request.values[.claims]), ("msal_client_sku", app.builtDefaults.sku),
      ("msal_client_ver", app.sdkVersion), ("loginHint", request.loginHint),
      ("correlationId", request.correlationID),
    ]
    return values.compactMap { field in
      field.value.flatMap { $0.isEmpty ? nil : NameValue(field.name, $0) }
    }
  }
}
