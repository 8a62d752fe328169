import Essentials
import SSOCore

/// The C# code of an app with MSAL.NET that decides the redirect URI on one system.
struct DotNetCode {
  enum System {
    case android, iOS

    /// The folders of a project that are not part of a build for the system.
    fileprivate var foreignFolders: [String] {
      ["MacCatalyst", "Windows", "Tizen", "obj", "bin"] + (self == .android ? ["iOS"] : ["Android"])
    }

    /// The beginning of the redirect URIs that only the other system has.
    fileprivate var foreignScheme: String { self == .android ? "msauth." : "msauth://" }
  }

  private static let fileLimit = 2000
  private static let sizeLimit = 1 << 20
  private static let roundLimit = 3

  private let system: System
  private(set) var files: [(path: String, tokens: [SourceToken])] = []
  private(set) var constants = CSharpConstants([])

  private static let signs = [
    "PublicClientApplicationBuilder", "AcquireTokenInteractive", "BrowserTabActivity",
    "AuthenticationContinuationHelper", "MainLauncher", "Microsoft.Identity.Client",
  ]

  /// Reads the sources of a project and of all projects that it refers to, or returns `nil` if none has one of the words by
  /// which code creates a client.
  init?(
    _ project: String, for system: System, signs: [String] = Self.signs,
    needs words: [String] = ["PublicClientApplicationBuilder"], properties: Set<String> = []
  ) {
    self.system = system
    let others = system.foreignFolders.map { "/\($0)/" }
    let folders = DotNetSettings.projects(of: project).map { ProjectFiles(folder(of: $0.path)) }
    func isOfSystem(_ path: String) -> Bool { !others.contains { path.contains($0) } }
    let paths = Set(folders.flatMap { $0.find { $0.hasSuffix(".cs") } })
      .union(DotNetSettings.linkedSources(of: project))
    var rest: [(path: String, data: Data)] = []
    for path in paths.sorted().prefix(Self.fileLimit) where isOfSystem(path) {
      if let data = try? ProjectFiles.data(path, limit: Self.sizeLimit) { rest.append((path, data)) }
    }
    take(signs, from: &rest)
    guard words.contains(where: has) else { return nil }
    let documents = folders.flatMap { folder in
      folder.find(AppSettings.isName).filter(isOfSystem)
    }.compactMap(AppSettings.init)
    if !documents.isEmpty { take(["GetSection", "GetRequiredSection", ".Get<"], from: &rest) }
    // The other files only matter for the names that lead to the redirect URI and the filters.
    var names = CSharpConstants.names(in: settings + assigned(properties).map(\.tokens))
    for _ in 0..<Self.roundLimit where !names.isEmpty {
      take(names.sorted(), from: &rest)
      constants = CSharpConstants(files.map(\.tokens), settings: documents)
      names = CSharpConstants.names(in: names.flatMap { constants.expressions(of: $0) }).subtracting(names)
    }
  }

  /// Reads the files that contain one of the texts.
  private mutating func take(_ texts: [String], from rest: inout [(path: String, data: Data)]) {
    for file in rest where texts.contains(where: { file.data.hasBytes($0) }) {
      let text = CSharpBranches.of(String(decoding: file.data, as: UTF8.self), for: system)
      files.append((file.path, SourceTokens.read(text, of: file.path)))
    }
    rest.removeAll { file in texts.contains(where: { file.data.hasBytes($0) }) }
  }

  /// The expressions of the redirect URI, the client ID, and the attributes of filters.
  private var settings: [[SourceToken]] {
    let attributes = files.flatMap { _, tokens in
      tokens.indices.filter { tokens[$0].word?.hasPrefix("Data") == true }
        .map { CSharpConstants.expression(in: tokens, from: $0 + 2) }
    }
    let calls =
      calls("WithRedirectUri") + calls("Create", of: "PublicClientApplicationBuilder")
      + calls("WithAuthority") + calls("WithB2CAuthority") + calls("WithIosKeychainSecurityGroup")
    return calls.map(\.tokens) + attributes
  }

  /// Whether code signs users in interactively.
  var isInteractive: Bool { has("AcquireTokenInteractive") }

  func has(_ word: String) -> Bool {
    files.contains { file in file.tokens.contains { $0.word == word } }
  }

  /// Returns the arguments of all calls of a method, each with its place.
  func calls(_ method: String, of type: String? = nil) -> [(tokens: [SourceToken], place: FilePlace)] {
    files.flatMap { path, tokens in
      tokens.indices.compactMap { index in
        guard tokens[index].word == method, index + 1 < tokens.count, tokens[index + 1].isSymbol("("),
          type == nil || index > 1 && tokens[index - 2].word == type
        else { return nil }
        return (
          CSharpConstants.expression(in: tokens, from: index + 2), FilePlace(path, line: tokens[index].line)
        )
      }
    }
  }

  /// Returns the expressions that code assigns to properties, each with its place, and whether it is one of the values with
  /// which an object is created: `new Options { Name = … }`.
  func assigned(_ properties: Set<String>)
    -> [(name: String, tokens: [SourceToken], place: FilePlace, isOfInitializer: Bool)]
  {
    files.flatMap { path, tokens in
      tokens.indices.dropLast(2).compactMap { index in
        guard let name = tokens[index].word, properties.contains(name), tokens[index + 1].isSymbol("="),
          !tokens[index + 2].isSymbol("="), !tokens[index + 2].isSymbol(">")
        else { return nil }
        let value = CSharpConstants.expression(in: tokens, from: index + 2)
        let end = index + 2 + value.count
        return (
          name, value, FilePlace(path, line: tokens[index].line),
          tokens.indices.contains(end) && !tokens[end].isSymbol(";")
        )
      }
    }
  }

  /// Returns the second argument of all calls of a method, each with its place.
  func secondArguments(of method: String) -> [(tokens: [SourceToken], place: FilePlace)] {
    files.flatMap { path, tokens in
      tokens.indices.dropLast(2).compactMap { index in
        guard tokens[index].word == method, tokens[index + 1].isSymbol("(") else { return nil }
        let first = CSharpConstants.expression(in: tokens, from: index + 2)
        let end = index + 2 + first.count
        guard tokens.indices.contains(end + 1), tokens[end].isSymbol(",") else { return nil }
        return (
          CSharpConstants.expression(in: tokens, from: end + 1), FilePlace(path, line: tokens[end + 1].line)
        )
      }
    }
  }

  /// The client IDs that the app may have, as far as they can be determined.
  var clientIDs: [Found<String>] {
    calls("Create", of: "PublicClientApplicationBuilder").flatMap { call in
      constants.found(call.tokens, at: call.place) ?? []
    }
  }

  /// The keys of settings from which code takes a client ID or an authority, and which are misspelt.
  var misspeltSettings: [MisspeltKey] {
    (calls("Create", of: "PublicClientApplicationBuilder") + calls("WithAuthority")).flatMap { call in
      CSharpConstants.members(in: call.tokens).compactMap(constants.misspeltSetting)
    }
  }

  /// The authorities that the app may have, as far as they can be determined.
  var authorities: [Found<String>] {
    (calls("WithAuthority") + calls("WithB2CAuthority")).flatMap { call in
      constants.found(call.tokens, at: call.place) ?? []
    }
  }

  /// The keychain group that the app has, or `nil` if it cannot be determined.
  var keychainGroup: Found<String>? {
    let found = calls("WithIosKeychainSecurityGroup").map { call in
      constants.found(call.tokens, at: call.place) ?? []
    }
    return found.count == 1 && found[0].count == 1 ? found[0][0] : nil
  }

  /// The redirect URIs that the app may have on its system, or `nil` if one cannot be determined.
  var redirects: [Found<String>]? {
    guard !has("CreateWithApplicationOptions") else { return nil }
    let given = calls("WithRedirectUri")
    if given.isEmpty {
      let clients = calls("Create", of: "PublicClientApplicationBuilder")
      var found: [Found<String>] = []
      for client in clients {
        guard let ids = constants.found(client.tokens, at: client.place), ids.allSatisfy(\.value.isGUID)
        else { return nil }
        found += ids.map { Found("msal\($0.value)://auth", $0.place) }
      }
      return found.isEmpty ? nil : found
    }
    var found: [Found<String>] = []
    for call in given {
      guard let values = constants.found(call.tokens, at: call.place),
        !values.contains(where: { Self.isTemplate($0.value) })
      else { return nil }
      // The redirect URIs for desktops and for the other system are beside it.
      found += values.filter {
        !$0.value.hasPrefix("http") && !$0.value.hasPrefix("ms-appx-web:")
          && !$0.value.hasPrefix(system.foreignScheme)
      }
    }
    return found.isEmpty ? nil : found
  }

  /// Returns whether a redirect URI is a template's, without its own client ID.
  private static func isTemplate(_ redirect: String) -> Bool {
    let scheme = redirect.prefix { $0 != ":" }
    return Placeholders.contain(redirect)
      || scheme.hasPrefix("msal") && scheme != "msal" && !String(scheme.dropFirst(4)).isGUID
  }
}
