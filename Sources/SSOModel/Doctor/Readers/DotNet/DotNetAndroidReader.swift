import Essentials
import SSOCore

/// A reader of the C# of an Android app that uses MSAL.NET: its redirect URI, and the activities that receive the
/// response.
///
/// Source: microsoft-authentication-library-for-dotnet, `Platforms/Android/BrowserTabActivity.cs` and
/// `AndroidPlatformProxy.cs`.
struct DotNetAndroidReader {
  static let projectLimit = 200
  private static let sizeLimit = 1 << 20

  private let code: DotNetCode

  /// Returns the apps below a folder whose redirect URI and filters can be determined, and the places of the others.
  static func read(_ files: ProjectFiles) -> (apps: [AndroidFacts], others: [FilePlace]) {
    var (apps, others): ([AndroidFacts], [FilePlace]) = ([], [])
    for path in files.find({ $0.hasSuffix(".csproj") }).prefix(projectLimit) {
      guard let text = try? ProjectFiles.text(path, limit: sizeLimit), isApp(text),
        let code = DotNetCode(path, for: .android)
      else { continue }
      if let app = DotNetAndroidReader(code: code).facts(path, text) {
        apps.append(app)
      } else {
        others.append(FilePlace(path))
      }
    }
    return (apps, others)
  }

  /// Returns whether a project is an app for Android with MAUI, .NET for Android, or Xamarin.
  static func isApp(_ text: String) -> Bool {
    // The files of a shared project are not read.
    guard !text.contains(".projitems") else { return false }
    return text.contains("-android") && text.contains("<OutputType>Exe")
      || text.contains("<AndroidApplication>True") || text.contains("<AndroidApplication>true")
  }

  private func facts(_ project: String, _ text: String) -> AndroidFacts? {
    // The embedded web view does not need an activity; code with branches may use it on another platform.
    let views = code.calls("WithUseEmbeddedWebView").map { $0.tokens.first?.word == "false" }
    // A call without it opens the browser, as beside one in another branch.
    let isEmbedded =
      views.contains(false) && code.calls("AcquireTokenInteractive").count <= views.count { !$0 }
    let clientIDs = code.clientIDs
    let misspelt = code.misspeltSettings
    // The redirect URI is made of the client ID, unless that is a mistake.
    let isMistaken =
      !misspelt.isEmpty || clientIDs.contains { [.malformed, .empty].contains(ClientIDForm($0.value)) }
    guard code.isInteractive, !(isEmbedded && !views.contains(true)),
      let redirects = code.redirects ?? (isMistaken ? [] : nil),
      let builder = code.calls("Create", of: "PublicClientApplicationBuilder").first?.place
    else { return nil }
    var facts = AndroidFacts(
      name: String(fileName(project).dropLast(".csproj".count)), origin: FilePlace(project))
    facts.usage = builder
    facts.manifest = builder
    (facts.redirectsOfDotNet, facts.clientIDsOfDotNet) = (redirects, clientIDs)
    facts.authoritiesOfDotNet = code.authorities
    facts.misspeltSettings = misspelt
    facts.mayNeedNoActivity =
      isEmbedded
      || code.calls("WithBroker").contains { call in
        call.tokens.first?.word != "false" && call.tokens.last?.word != "Windows"
          && !(call.tokens.contains { $0.word == "BrokerOptions" }
            && call.tokens.contains { $0.word == "Windows" })
      }
    if let start = text.firstRange(of: "<ApplicationId>") {
      let id = String(text[start.upperBound...].prefix { $0 != "<" })
      facts.packageName = Found(id, FilePlace(project))
    }
    for (path, tokens) in code.files { takeActivities(tokens, path, into: &facts) }
    // Files of other folders are not read.
    if !code.has("AuthenticationContinuationHelper"), !text.contains("<Compile Include=\"..") {
      facts.lackingContinuation = launcher
    }
    // Each configuration of a build may have its own manifest.
    let manifests = ProjectFiles(folder(of: project)).find {
      $0.hasPrefix("AndroidManifest") && $0.hasSuffix(".xml")
    }
    for path in manifests.prefix(Self.projectLimit) {
      guard !path.contains("/obj/"), !path.contains("/bin/"),
        let manifest = (try? ProjectFiles.data(path)).flatMap({ try? XMLReader.read($0) })
      else { continue }
      AndroidManifestReader.take(
        manifest, path: path, values: [:], activities: ["microsoft.identity.client.BrowserTabActivity"],
        into: &facts)
    }
    return facts
  }

  // MARK: The activity

  /// Returns the activities of an app that receive the response of .NET's WebAuthenticator, with their filters.
  static func callbackActivities(_ code: DotNetCode) -> AndroidFacts {
    var facts = AndroidFacts(name: "", origin: FilePlace(""))
    for (path, tokens) in code.files {
      DotNetAndroidReader(code: code).takeActivities(
        tokens, path, base: "WebAuthenticatorCallbackActivity", into: &facts)
    }
    return facts
  }

  /// Adds the filters of the classes that inherit from an activity that receives the response.
  private func takeActivities(
    _ tokens: [SourceToken], _ path: String, base: String = "BrowserTabActivity",
    into facts: inout AndroidFacts
  ) {
    for index in tokens.indices where tokens[index].word == "class" && index + 2 < tokens.count {
      let bases = tokens[(index + 2)...].prefix(12).prefix { !$0.isSymbol("{") }
      guard bases.contains(where: { $0.word == base }) else { continue }
      facts.activity = FilePlace(path, line: tokens[index].line)
      let attributes = Array(tokens[attributesStart(before: index, tokens)..<index])
      if isFalse("Exported", in: attributes) { facts.isExported = false }
      let starts = attributes.indices.filter { attributes[$0].word == "IntentFilter" }
      for (number, start) in starts.enumerated() {
        let end = number + 1 < starts.count ? starts[number + 1] : attributes.count
        facts.filters += filters(Array(attributes[start..<end]), path)
      }
    }
  }

  /// Returns whether an attribute sets a property to `false`: `[Activity(Exported = false)]`.
  private func isFalse(_ property: String, in tokens: [SourceToken]) -> Bool {
    tokens.indices.dropLast(2).contains {
      tokens[$0].word == property && tokens[$0 + 1].isSymbol("=") && tokens[$0 + 2].word == "false"
    }
  }

  /// The class of the activity that a launcher starts: `[Activity(MainLauncher = true)]`.
  private var launcher: FilePlace? {
    code.files.lazy.compactMap { path, tokens -> FilePlace? in
      let index = tokens.indices.first { index in
        tokens[index].word == "class"
          && tokens[attributesStart(before: index, tokens)..<index].contains { $0.word == "MainLauncher" }
      }
      return index.map { FilePlace(path, line: tokens[$0].line) }
    }.first
  }

  /// Returns the index of the first token of the attributes of a class.
  private func attributesStart(before index: Int, _ tokens: [SourceToken]) -> Int {
    var (start, depth) = (index, 0)
    while start > 0 {
      let token = tokens[start - 1]
      if token.isSymbol("]") { depth += 1 }
      if token.isSymbol("[") { depth -= 1 }
      if depth == 0, token.isSymbol("{") || token.isSymbol("}") || token.isSymbol(";") { break }
      start -= 1
    }
    return start
  }

  private func filters(_ tokens: [SourceToken], _ path: String) -> [AndroidFacts.Filter] {
    let words = Set(tokens.compactMap { $0.word ?? $0.text })
    let isComplete =
      !words.isDisjoint(with: ["ActionView", "android.intent.action.VIEW"])
      && !words.isDisjoint(with: ["CategoryDefault", "android.intent.category.DEFAULT"])
      && !words.isDisjoint(with: ["CategoryBrowsable", "android.intent.category.BROWSABLE"])
    // A prefix or a pattern is not compared.
    func parts(_ names: [String]) -> [String?] {
      guard let index = tokens.indices.first(where: { names.contains(tokens[$0].word ?? "") }) else {
        return [nil]
      }
      guard index + 1 < tokens.count, tokens[index + 1].isSymbol("=") else { return ["@"] }
      let name = tokens[index].word ?? ""
      if name.hasSuffix("s") {
        let list = tokens[(index + 2)...].drop { !$0.isSymbol("{") && !$0.isSymbol("[") }
          .prefix { !$0.isSymbol("}") && !$0.isSymbol(")") }
        let texts = list.compactMap(\.text)
        return texts.isEmpty || list.count != 2 * texts.count ? ["@"] : texts
      }
      let value = CSharpConstants.expression(in: tokens, from: index + 2)
      return code.constants.values(of: value)?.map { $0.isEmpty ? "@" : $0 } ?? ["@"]
    }
    let line =
      tokens.first { $0.word == "DataScheme" || $0.word == "DataSchemes" }?.line ?? tokens.first?.line
    return parts(["DataScheme", "DataSchemes"]).flatMap { scheme in
      parts(["DataHost", "DataHosts"]).flatMap { host in
        parts(["DataPath", "DataPaths"]).map { end in
          AndroidFacts.Filter(
            scheme: scheme, host: host, path: end, isComplete: isComplete, place: FilePlace(path, line: line))
        }
      }
    }
  }
}
