import SSOCore

/// A program that puts variables of the environment into a page, each those with one beginning.
enum Bundler: String, CaseIterable {
  case createReactApp = "react-scripts"
  case vite = "vite"
  case vueCLI = "@vue/cli-service"

  /// Creates the bundler that a package names, or returns `nil` if it names none or has settings of its own for it.
  init?(_ package: JSONValue, hasOwnSettings: Bool) {
    let found = Self.allCases.first { bundler in
      ["dependencies", "devDependencies"].contains { package[$0]?[bundler.rawValue] != nil }
    }
    guard let found, !hasOwnSettings else { return nil }
    self = found
  }

  /// Returns whether the page gets a variable: `import.meta.env.NAME` (`inImport`) or `process.env.NAME`.
  func publishes(_ name: String, inImport: Bool) -> Bool {
    switch self {
    case .createReactApp:
      !inImport && (name.hasPrefix("REACT_APP_") || ["NODE_ENV", "PUBLIC_URL"].contains(name))
    case .vite: inImport && (name.hasPrefix("VITE_") || ["MODE", "BASE_URL", "PROD", "DEV"].contains(name))
    case .vueCLI: !inImport && (name.hasPrefix("VUE_APP_") || ["NODE_ENV", "BASE_URL"].contains(name))
    }
  }
}
