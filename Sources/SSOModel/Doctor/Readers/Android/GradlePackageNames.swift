/// The package names of the builds that have a source set of a Gradle module.
enum GradlePackageNames {
  /// Returns the package names by the name of the source set: of each flavour, of each build type, and of their
  /// combinations, such as `devDebug`.
  ///
  /// It returns nothing for flavours of several dimensions, which builds combine, and for names that are not literals.
  /// Source: developer.android.com/build/build-variants.
  static func ofSets(_ tokens: [SourceToken], base: String) -> [String: [String]] {
    let flavours = GradleSigning.blocks(of: "productFlavors", in: tokens)
    let bodies = GradleSigning.blocks(of: "buildTypes", in: tokens)
    let types = bodies.merging(["debug": [], "release": []]) { own, _ in own }
    guard dimensions(of: flavours).count < 2, flavours.count * types.count <= GradleBuildFile.nameLimit else {
      return [:]
    }
    let suffixes = types.compactMapValues { suffix(in: $0) }
    let ids = flavours.compactMapValues { body -> String? in
      let own = literal(of: "applicationId", in: body)
      guard let end = suffix(in: body) else { return nil }
      return own.isThere ? own.text.map { $0 + end } : base + end
    }
    guard suffixes.count == types.count, ids.count == flavours.count else { return [:] }
    var names: [String: [String]] = [:]
    for (type, end) in suffixes {
      names[type] = flavours.isEmpty ? [base + end] : ids.values.map { $0 + end }.sorted()
      for (flavour, id) in ids {
        names[flavour, default: []].append(id + end)
        names[flavour + type.prefix(1).uppercased() + type.dropFirst()] = [id + end]
      }
    }
    return names
  }

  /// Returns the dimensions of flavours: flavours of one dimension are never combined, and flavours of several are.
  static func dimensions(of flavours: [String: ArraySlice<SourceToken>]) -> Set<String> {
    Set(flavours.values.map { literal(of: "dimension", in: $0).text ?? "" })
  }

  /// Returns the suffix of a flavour or a build type, or `nil` if it is not a literal.
  private static func suffix(in body: ArraySlice<SourceToken>) -> String? {
    let own = literal(of: "applicationIdSuffix", in: body)
    return own.isThere ? own.text : ""
  }

  /// Returns whether a body sets a property, and the literal: `name "value"`, `name = "value"`, `name.set("value")`.
  private static func literal(
    of name: String, in body: ArraySlice<SourceToken>
  ) -> (isThere: Bool, text: String?) {
    guard let index = body.firstIndex(where: { $0.word == name }) else { return (false, nil) }
    let next = body[(index + 1)...].prefix(4).first { $0.text != nil }
    return (true, next?.text.flatMap { $0.contains("$") ? nil : $0 })
  }
}
