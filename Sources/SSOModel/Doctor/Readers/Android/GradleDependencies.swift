import SSOCore

/// The parts of the build files of an Android app that its dependency on MSAL needs.
extension GradleReader {
  /// Records what no build file of an app has: values of the placeholders in its filters, and the dependency on MSAL.
  static func takeBuild(below files: ProjectFiles, _ facts: inout AndroidFacts) {
    let unset = facts.filters.flatMap { filter in
      [("scheme", filter.scheme), ("host", filter.host), ("path", filter.path)].compactMap {
        attribute, part in
        VendorFacts.Unset(attribute, of: part ?? "", at: filter.place)
      }
    }
    guard !unset.isEmpty || facts.usage != nil else { return }
    let ends = [".gradle", ".gradle.kts", ".toml", ".properties"]
    let builds = files.find { name in ends.contains(where: name.hasSuffix) }.prefix(codeLimit).map { path in
      (path, (try? ProjectFiles.text(path, limit: 1 << 20)) ?? "")
    }
    let module = folder(of: folder(of: folder(of: facts.origin.path)))
    guard !hasOwnPlugins(above: module, below: files.root) else { return }
    facts.unset = unset.filter { value in !builds.contains { $0.1.contains(value.name) } }
    let isOfWrapper = ProjectFiles(files.root).find {
      ["package.json", "pubspec.yaml", "plugin.xml"].contains($0)
    }
    guard facts.usage != nil, isOfWrapper.isEmpty else { return }
    facts.missingDependency = missingDependency(builds)
    facts.lackingFeed = facts.needsDisplayMask ? lackingFeed(builds) : nil
  }

  /// The hosts of repositories that do not have Microsoft's libraries for the Duo.
  private static let otherHosts = [
    "jitpack.io", "google.com", "maven.org", "sonatype.org", "gradle.org", "jcenter.bintray.com",
    "apache.org", "jetbrains", "fabric.io", "android.com", "kotlinlang.org",
  ]

  /// Returns the place of the repositories of builds that do not have the library for the Duo's display, or `nil` if a build
  /// names it or its feed, or has a repository that may have everything.
  private static func lackingFeed(_ builds: [(String, String)]) -> FilePlace? {
    let names = ["device.display", "DuoSDK", "Duo-SDK", "mavenLocal", "flatDir", "pkgs.dev.azure.com"]
    var place: FilePlace?
    for (path, text) in builds {
      guard !names.contains(where: text.contains) else { return nil }
      for (index, line) in text.lines.enumerated() where !line.trimmed.hasPrefix("//") {
        let isRepository = ["url", "uri(", "maven(", "maven (", "setUrl"].contains(where: line.contains)
        if isRepository, !path.hasSuffix(".properties"), !line.hasPrefix("distributionUrl"),
          // An address that is computed, or one of a repository that may be a mirror of all.
          !line.contains("://") || line.contains("$") || !otherHosts.contains(where: line.contains)
        {
          return nil
        }
        let isOfAll = line.contains("allprojects") || line.contains("dependencyResolutionManagement")
        if isOfAll, place == nil { place = FilePlace(path, line: index + 1) }
      }
    }
    return place
  }

  /// Returns the dependency on a library that is misspelt or a comment, or `nil` if the build files name the library in
  /// another way, or not at all.
  static func missingDependency(
    _ builds: [(String, String)], of artifact: String = artifact,
    signs: [String] = ["msal", "microsoft.identity"]
  ) -> Found<String>? {
    // `libs.auth0`, but neither `auth0Domain` nor `lamp.auth0.com`.
    func isNamed(_ sign: String, in line: String) -> Bool {
      line.ranges(of: sign).contains { range in
        let rest = line[range.upperBound...]
        return sign == "msal"
          || rest.first.map { !$0.isLetter && $0 != "_" } != false && !rest.hasPrefix(".com")
      }
    }
    var found: Found<String>?
    let group = artifact.prefix { $0 != ":" } + ":"
    for (path, text) in builds {
      for (index, line) in text.lines.enumerated() {
        let line = line.trimmed
        let isComment = ["//", "#", "/*", "*"].contains(where: line.hasPrefix)
        let names = line.split { "\"'".contains($0) }.filter { $0.contains(":") }.map {
          $0.split(separator: ":").prefix(2).joined(separator: ":")
        }
        let wrong = names.first { name in
          abs(name.utf8.count - artifact.utf8.count) < 3 && (isComment || name != artifact)
            && [artifact].closestSpelling(to: name, most: 2) != nil
        }
        if let wrong {
          found = found ?? Found(isComment ? "a comment" : wrong, FilePlace(path, line: index + 1))
        } else if !isComment, signs.contains(where: { isNamed($0, in: line.lowercased()) }),
          // Another library of the same group.
          !names.contains(where: { $0.hasPrefix(group) && $0 != artifact })
        {
          return nil
        }
      }
    }
    return found
  }
}
