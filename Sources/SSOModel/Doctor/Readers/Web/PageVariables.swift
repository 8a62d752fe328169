import SSOCore

/// The environment variables that a web app's bundler puts into the page; others are undefined there, or prevent the
/// page from loading.
///
/// Sources: create-react-app, `react-scripts/config/env.js`; vite.dev/guide/env-and-mode; nextjs.org/docs,
/// "Environment Variables"; cli.vuejs.org/guide/mode-and-env.
struct PageVariables {
  /// A variable that the page does not have.
  struct Unseen: Hashable {
    /// The variable as written in the code: `process.env.CLIENT_ID`.
    var name: Found<String>
    /// The same variable with a name that the bundler puts into the page.
    var wanted: String
    /// Whether configurations of the bundler cannot change it.
    var isCertain: Bool
    /// The mistake of the `.env` file that has the variable, or `nil` if no file has it.
    var file: FileFault?
  }

  /// A reason why a `.env` file does not set a variable that code reads.
  enum FileFault: Hashable {
    /// It has the variable under another name.
    case otherName
    /// The bundler reads only the files beside `package.json`.
    case otherFolder
  }

  /// The beginnings of variables that a build puts into the page.
  static let prefixes = [
    "VITE_", "REACT_APP_", "NEXT_PUBLIC_", "NUXT_PUBLIC_", "VUE_APP_", "PUBLIC_", "GATSBY_", "EXPO_PUBLIC_",
    "NG_APP_",
  ]
  private static let editLimit = 2

  /// Returns the variable of a `.env` file that stands for a variable that the files do not set: without its prefix, or
  /// misspelt.
  ///
  /// The environment of a build may have the variable, so nothing is certain.
  static func misnamed(_ variable: String, in files: [String: Found<String>]) -> Unseen? {
    func core(_ name: String) -> String {
      let prefix = prefixes.first(where: name.hasPrefix) ?? ""
      return name.dropFirst(prefix.count).lowercased().filter { $0 != "_" }
    }
    guard files[variable] == nil, prefixes.contains(where: variable.hasPrefix) else { return nil }
    let own = files.filter { !FilePlace.isExample($0.value.place.path) }.keys.sorted()
    guard
      let name = own.first(where: { core($0) == core(variable) })
        ?? own.closestSpelling(to: variable, most: editLimit), let found = files[name]
    else { return nil }
    return Unseen(name: Found(name, found.place), wanted: variable, isCertain: false, file: .otherName)
  }

  private enum Bundler: String, CaseIterable {
    case react = "react-scripts"
    case vite
    case next
    case vue = "@vue/cli-service"

    var prefix: String {
      switch self {
      case .react: "REACT_APP_"
      case .vite: "VITE_"
      case .next: "NEXT_PUBLIC_"
      case .vue: "VUE_APP_"
      }
    }

    var owner: String { self == .vite ? "import.meta.env." : "process.env." }

    /// The variables that the bundler sets itself.
    var own: Set<String> {
      self == .vite
        ? ["MODE", "BASE_URL", "PROD", "DEV", "SSR", "LEGACY", "NODE_ENV"]
        : ["NODE_ENV", "PUBLIC_URL", "BASE_URL"]
    }

    var configuration: String? {
      switch self {
      case .react: nil
      case .vite: "vite.config."
      case .next: "next.config."
      case .vue: "vue.config."
      }
    }

    /// The command that builds the page.
    var build: String {
      switch self {
      case .react: "react-scripts build"
      case .vite: "vite build"
      case .next: "next build"
      case .vue: "vue-cli-service build"
      }
    }

    /// Parts of a configuration that may put other variables into the page.
    var signs: [String] {
      switch self {
      case .react: []
      case .vite:
        [
          "define:", "envPrefix", "nvironmentPlugin", "plugin-environment", "envCompatible", "dotenv",
          "process.env\"", "mergeConfig",
        ]
      case .next: ["env", "Plugin"]
      case .vue: ["Define", "'define'", "\"define\"", "nvironment", "otenv"]
      }
    }
  }

  /// Packages that bundle in another way, or that change what a bundler does.
  private static let others: Set<String> = [
    "react-app-rewired", "customize-cra", "gatsby",
    "nuxt", "astro", "@sveltejs/kit", "@remix-run/react", "@remix-run/dev", "@angular/core", "expo",
    "electron-vite", "vite-plugin-environment", "vite-plugin-env-compatible", "vinxi",
    "@solidjs/start", "@tanstack/react-start", "@quasar/app-vite", "@quasar/app-webpack", "@redwoodjs/core",
    "@azure/msal-node",
  ]

  /// Packages that bundle in another way, unless the script `build` names the bundler.
  private static let bundlers: Set<String> = ["webpack", "dotenv-webpack", "parcel", "parcel-bundler"]

  private static let parts = ["from '.", "from \".", "require('.", "require(\"."]

  private let bundler: Bundler?
  private var isConfigured = false
  private let base: String
  /// Whether the bundler reads `.env` files only beside `package.json`.
  private var readsOnlyOwnFolder = false
  /// The variables of files in `src`, which the bundler does not read.
  private var misplaced: [String: Found<String>] = [:]

  /// Reads the package of a folder; unless the bundler is certain, no variable is unseen.
  init(_ base: String) {
    self.base = simplified(base + "/src") + "/"
    let package =
      (try? ProjectFiles.data(base + "/package.json", limit: 1 << 20))
      .flatMap { JSONValue(bounded: $0, maximumBytes: 1 << 20) }
    let names = Set(
      ["dependencies", "devDependencies"].flatMap { key in
        package?[key]?.object.map { Array($0.keys) } ?? []
      })
    let found = Bundler.allCases.filter { names.contains($0.rawValue) }
    guard found.count == 1, let only = found.first, names.isDisjoint(with: Self.others),
      names.isDisjoint(with: Self.bundlers)
        || package?["scripts"]?["build"]?.string?.contains(only.build) == true
    else {
      bundler = nil
      return
    }
    let configuration = names.contains("@craco/craco") ? "craco.config." : only.configuration
    let texts = ["js", "ts", "mjs", "mts", "cjs"].compactMap { end in
      configuration.flatMap { try? ProjectFiles.text("\(base)/\($0)\(end)", limit: 1 << 20) }
    }
    guard !names.contains("@craco/craco") || !texts.isEmpty else {
      bundler = nil
      return
    }
    let commands = (package?["scripts"]?.object ?? [:]).values.compactMap(\.string)
    readsOnlyOwnFolder =
      !(texts + commands).contains { text in ["envDir", "dotenv", "env-cmd"].contains(where: text.contains) }
    // A configuration that takes a part from another file may have more, and so may a file that a script names.
    isConfigured =
      texts.isEmpty
      ? only != .vite || Self.runsWithoutConfiguration(package)
      : !texts.contains { text in Self.parts.contains(where: text.contains) }
    // CRACO may change what react-scripts bundles.
    let signs =
      only == .react ? ["Define", "nvironment", "otenv", "process.env"] + Self.parts : only.signs
    bundler = texts.contains { text in signs.contains(where: text.contains) } ? nil : only
  }

  /// Returns whether the scripts of a package build with Vite, and none names a configuration.
  private static func runsWithoutConfiguration(_ package: JSONValue?) -> Bool {
    let commands = (package?["scripts"]?.object ?? [:]).values.compactMap(\.string)
    return commands.contains { $0.hasPrefix("vite") || $0.contains(" vite") }
      && !commands.contains { $0.contains("config") || $0.contains(" -c ") }
  }

  /// Takes the `.env` files that the bundler does not read, and returns the others.
  mutating func takeMisplaced(_ files: [String]) -> [String] {
    guard bundler != nil, readsOnlyOwnFolder else { return files }
    let misplaced = files.filter { simplified($0).hasPrefix(base) && !FilePlace.isExample($0) }
    self.misplaced = EnvironmentFiles.read(misplaced).values
    return files.filter { !misplaced.contains($0) }
  }

  /// Returns the variable of a misplaced file that no other file sets, or `nil`.
  ///
  /// The environment of a build may have it, so nothing is certain, and a template shows nothing.
  func misplaced(_ variable: String, in files: [String: Found<String>]) -> Unseen? {
    let isSet = files[variable].map { !FilePlace.isExample($0.place.path) } ?? false
    guard !isSet, let found = misplaced[variable], !Placeholders.contain(found.value) else { return nil }
    return Unseen(name: Found(variable, found.place), wanted: variable, isCertain: false, file: .otherFolder)
  }

  /// Returns a variable that the page does not have, or `nil` if it has them or if that is unknown.
  ///
  /// `isOfPage` says whether the code is of a module of MSAL.js, which no server runs.
  func unseen(_ names: [String], at place: FilePlace, isOfPage: Bool) -> Unseen? {
    // Code elsewhere may run on a server.
    guard let bundler, let variable = names.last,
      simplified(place.path).hasPrefix(base) || bundler == .next && isOfPage,
      !place.path.contains("/api/"), !place.path.contains("server"), !bundler.own.contains(variable)
    else { return nil }
    let isOfModule = names.first == "import"
    // webpack, with which react-scripts bundles, has no `import.meta.env`; other bundlers of the same code may define it.
    guard bundler == .vite || bundler == .react || !isOfModule else { return nil }
    let isForeign = isOfModule != (bundler == .vite)
    guard !variable.hasPrefix(bundler.prefix) || isForeign else { return nil }
    let foreign = Bundler.allCases.map(\.prefix).first(where: variable.hasPrefix) ?? ""
    return Unseen(
      name: Found((isOfModule ? "import.meta.env." : "process.env.") + variable, place),
      wanted: bundler.owner + bundler.prefix + variable.dropFirst(foreign.count),
      isCertain: bundler == .react || isConfigured && (bundler != .next || isOfPage))
  }
}
