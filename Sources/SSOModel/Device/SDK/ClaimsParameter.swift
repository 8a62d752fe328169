import SSOCore

extension JSONValue {
  /// Returns the parameter `claims`: the requested claims and the app's capabilities, merged under `access_token`.
  static func claimsParameter(_ requested: String?, capabilities names: [String]) -> String? {
    let capabilities = capabilities(names)
    let own = capabilities.flatMap { JSONValue(bounded: Array($0.utf8)) }
    guard let requested, var all = JSONValue(bounded: Array(requested.utf8))?.object else {
      return capabilities ?? requested
    }
    let token = (all["access_token"]?.object ?? [:]).merging(own?["access_token"]?.object ?? [:]) { $1 }
    if !token.isEmpty { all["access_token"] = .object(token) }
    return JSONValue.object(all).text(.wire)
  }

  /// Returns `{"access_token":{"xms_cc":{"values":["ProtApp"]}}}`, or `nil` without capabilities.
  static func capabilities(_ names: [String]) -> String? {
    guard !names.isEmpty else { return nil }
    let claims: JSONValue = ["access_token": ["xms_cc": ["values": .array(names.map(JSONValue.string))]]]
    return claims.text(.wire)
  }
}
