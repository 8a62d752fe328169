import SSOCore

/// The authorities that code makes of a cloud, an audience, and a tenant.
///
/// Source: microsoft-authentication-library-for-objc, `MSALAADAuthority.h` and `MSALAADAuthority.m`.
extension SourceScan {
  /// The hosts of `MSALAzureCloudInstance`, by a part of the case's name.
  private static let clouds: [(part: String, host: String)] = [
    ("Public", "login.microsoftonline.com"), ("China", "login.chinacloudapi.cn"),
    ("Germany", "login.microsoftonline.de"), ("UsGovernment", "login.microsoftonline.us"),
    ("France", "login.sovcloud-identity.fr"), ("Delos", "login.sovcloud-identity.de"),
    ("GovSG", "login.sovcloud-identity.sg"),
  ]
  /// The words for the tenants of `MSALAudienceType`, by a part of the case's name.
  private static let audiences: [(part: String, tenant: String)] = [
    ("AndPersonal", "common"), ("MultipleOrgs", "organizations"), ("PersonalMicrosoft", "consumers"),
  ]
  private static let argumentLimit = 80

  /// Returns the address of an authority that code makes with a tenant or an audience, or `nil` for any other call:
  /// `MSALAADAuthority(cloudInstance: .azurePublicCloudInstance, audienceType: .azureADMyOrgOnlyAudience, rawTenant: id)`.
  func authorityWithTenant(at index: Int) -> Expression? {
    var places: [String: Int] = [:]
    var depth = 0
    for current in index + 1..<min(index + Self.argumentLimit, tokens.count) {
      if isSymbol("(", at: current) { depth += 1 }
      if isSymbol(")", at: current) { depth -= 1 }
      if isSymbol(";", at: current) || isSymbol("}", at: current) { break }
      guard isSymbol(":", at: current + 1), let label = token(current)?.word else {
        if depth == 0, isSymbol(")", at: current), isSymbol("(", at: index + 1) { break }
        continue
      }
      switch label {
      case "cloudInstance", "initWithCloudInstance": places["cloud"] = current + 2
      case "environment", "initWithEnvironment": places["host"] = current + 2
      case "url", "initWithURL": places["url"] = current + 2
      case "audienceType", "rawTenant": places[label] = current + 2
      default: break
      }
    }
    let given = places["rawTenant"].map { expression(at: $0) }
    guard places["audienceType"] != nil || given != nil && given != .absent else { return nil }
    guard let host = host(places), let tenant = tenant(places, given) else { return .other }
    return .joined([.text("https://"), host, .text("/"), tenant])
  }

  private func host(_ places: [String: Int]) -> Expression? {
    if let place = places["cloud"], let name = lastWord(from: place) {
      return Self.clouds.first { name.lowercased().contains($0.part.lowercased()) }.map { .text($0.host) }
    }
    if let place = places["host"] { return expression(at: place) }
    guard let place = places["url"], case .text(let url) = expression(at: place) else { return nil }
    return URLParts(url).map { .text($0.authority) }
  }

  /// Returns the tenant, or `nil` if the class refuses the arguments or if it cannot be determined.
  private func tenant(_ places: [String: Int], _ given: Expression?) -> Expression? {
    let audience = places["audienceType"].map { lastWord(from: $0)?.lowercased() ?? "" }
    if let given, given != .absent {
      return given != .other && audience?.contains("myorg") != false ? given : nil
    }
    return audience.flatMap { name in
      Self.audiences.first { name.contains($0.part.lowercased()) }.map { .text($0.tenant) }
    }
  }
}
