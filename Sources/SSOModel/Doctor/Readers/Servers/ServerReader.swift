import SSOCore

/// A reader of the settings with which programs on a server use Entra: ASP.NET's `appsettings.json`, constants of Python, and
/// objects of Node.
///
/// Values that come from the environment are not visible, and are not checked.
extension VendorReader {
  static let serverFileLimit = 400

  mutating func readServers(_ files: ProjectFiles) {
    readAppSettings(files)
    readPython(files)
    readNode(files)
  }

  mutating func addServer(_ folder: String, _ vendor: Vendor, _ facts: VendorFacts.Server) {
    guard let origin = facts.origin, facts.hasValues else { return }
    add(fileName(folder), vendor, origin, .server(facts))
  }

  /// Returns whether a path has a folder of tests, or of another program's packages.
  static func isOfOthers(_ path: String) -> Bool {
    path.split(separator: "/").contains { part in
      ["test", "tests", "__tests__", "venv", ".venv", "env", "site-packages", "bin", "obj", "dist"].contains(
        part)
    } || [".test.", ".spec.", "test_"].contains(where: fileName(path).contains)
  }

  // MARK: ASP.NET

  /// The libraries that read a section of the settings, by the name of their package.
  private static let libraries: [(package: String, vendor: Vendor)] = [
    ("\"Microsoft.Identity.Web", .identityWeb),
    ("\"Microsoft.Authentication.WebAssembly.Msal\"", .blazor),
  ]

  /// Reads the sections of `appsettings.json` with an authority and a client ID.
  ///
  /// Source: microsoft-identity-web, `MicrosoftIdentityOptions.cs`, whose names .NET compares without their case.
  private mutating func readAppSettings(_ files: ProjectFiles) {
    let projects = files.find { $0.hasSuffix(".csproj") }.prefix(Self.serverFileLimit).compactMap {
      path -> (folder: String, vendor: Vendor)? in
      guard let text = try? ProjectFiles.text(path, limit: Self.sizeLimit) else { return nil }
      return Self.libraries.first { text.contains($0.package) }.map { (folder(of: path), $0.vendor) }
    }
    guard !projects.isEmpty else { return }
    for path in files.find(AppSettings.isName).prefix(Self.serverFileLimit)
    where !Self.isOfOthers(String(path.dropFirst(root.count))) {
      guard let project = projects.first(where: { path.hasPrefix($0.folder + "/") }),
        let file = AppSettings(path), let sections = file.document.value.object
      else { continue }
      for (name, section) in sections.sorted(by: { $0.key < $1.key }) {
        guard let object = section.object, let facts = Self.settings(object, name, file) else { continue }
        addServer(project.folder, project.vendor, facts)
      }
    }
  }

  private static let keys = ["Instance", "ClientId", "TenantId"]
  private static let otherKeys = [
    "Domain", "Authority", "Audience", "Scopes", "CallbackPath", "ClientSecret", "ClientCredentials",
    "ClientCertificates",
    "SignedOutCallbackPath", "SignUpSignInPolicyId", "ResetPasswordPolicyId", "EditProfilePolicyId",
  ]

  private static func settings(
    _ object: [String: JSONValue], _ section: String, _ file: AppSettings
  ) -> VendorFacts.Server? {
    let names = Dictionary(object.keys.map { ($0.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
    func found(_ key: String) -> Found<String>? {
      guard let name = names[key.lowercased()], let text = object[name]?.string else { return nil }
      return Found(text, FilePlace(file.path, line: file.document.line(of: name, in: section)))
    }
    // Other sections have a client ID too.
    guard names["instance"] != nil || names["authority"] != nil && names["clientid"] != nil else {
      return nil
    }
    var facts = VendorFacts.Server(
      origin: FilePlace(
        file.path,
        line: file.document.line(of: names["instance"] ?? names["authority"] ?? "", in: section)))
    facts.clientIDs = [found("ClientId")].compactMap(\.self)
    facts.authorities = [found("Authority")].compactMap(\.self)
    facts.instance = found("Instance")
    facts.tenant = found("TenantId")
    facts.callback = found("CallbackPath")
    let written = object.keys.sorted().filter { name in
      !(keys + otherKeys).contains { $0.lowercased() == name.lowercased() }
    }.map { (key: $0, line: file.document.line(of: $0, in: section)) }
    let missing = keys.filter { names[$0.lowercased()] == nil }
    facts.misspelt = MisspeltKey.find(among: written, of: missing, in: file.path)
    let isOfB2C = facts.instance.map { $0.value.lowercased().contains(".b2clogin.com") } ?? false
    if isOfB2C, names["authority"] == nil, names["signupsigninpolicyid"] == nil {
      facts.lackingPolicy = facts.instance?.place
    }
    return facts
  }
}
