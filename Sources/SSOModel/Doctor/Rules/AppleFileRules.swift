import SSOCore
import SSODevice

/// The rules for what the files of an iOS or macOS app name: other files, keys, and classes.
extension AppleRules {
  /// The findings of files and keys that a build setting or code names, and that are not there.
  var fileChecks: [DoctorCheck] {
    [
      infoCheck, listCheck,
      .tenantCheck(facts.clientID, authority: facts.source?.authority.found?.value, subject: subject),
    ].compactMap(\.self) + facts.damaged.map(damageCheck)
      + [
        (SourceScan.Key.clientID, DoctorRule.clientID), (.redirectURI, .redirectURI),
        (.authority, .authority),
      ]
      .compactMap { key, rule in facts.source?.misspelt[key].map { keyCheck($0, rule) } } + otherClientChecks
  }

  /// The finding of a missing Info.plist, without which Xcode builds nothing.
  private var infoCheck: DoctorCheck? {
    guard let missing = facts.missingInfo else { return nil }
    let similar = facts.similarInfo
    var found = check(
      .urlScheme,
      Check(
        "the Info.plist is there", expected: missing.value, found: similar ?? "none", false,
        source: "real-apps.md §2"),
      "The Info.plist is missing", at: missing.place, fix: similar.map { "INFOPLIST_FILE = \($0);" })
    let code = "Build input file cannot be found"
    found.refusal = DoctorCheck.Refusal(code, "\(code): '\(missing.value)'")
    return similar == nil && facts.mayHaveInfo ? found.asQuestion : found
  }

  /// The finding of a property list that Xcode cannot read, or that still has a tag of an example as its value.
  private func damageCheck(_ file: UnreadFile) -> DoctorCheck {
    let place = FilePlace(file.path, line: file.error.line)
    // `<string><your bundle ID></string>`
    let tag = file.error.problem.split(separator: "</").dropFirst().first?.prefix { $0 != ">" }
    if let tag, !["plist", "dict", "array", "string", "key"].contains(tag) {
      return .placeholder(
        "value of \(fileName(file.path))", Found(file.error.problem, place), subject: subject)
    }
    let isInfo = !file.path.hasSuffix(".entitlements")
    return check(
      isInfo ? .urlScheme : .keychainGroup,
      Check(
        "the file is a property list", expected: "a property list", found: file.error.description, false,
        source: "real-apps.md §2"), "\(fileName(file.path)) is not a property list", at: place)
  }

  /// The finding of a property list with the client ID that no build copies into the app.
  private var listCheck: DoctorCheck? {
    facts.unbundledList.map { list in
      check(
        .clientID,
        Check(
          "the app has the property list with the client ID", expected: "a resource of the target",
          found: "not in its resources", false, source: "real-apps.md §2"),
        "The property list is not in the app", at: list.place)
    }
  }

  private func keyCheck(_ key: MisspeltKey, _ rule: DoctorRule) -> DoctorCheck {
    check(
      rule,
      Check(
        "the property list has the key that code reads", expected: key.key, found: key.written.value, false,
        source: "real-apps.md §2"), key.mistake, at: key.written.place, fix: "<key>\(key.key)</key>")
  }

  /// The findings of further client IDs in code that were copied incompletely.
  private var otherClientChecks: [DoctorCheck] {
    guard facts.sdk == .msal, facts.source?.authorityClasses.contains("MSALADFSAuthority") != true else {
      return []
    }
    let others = (facts.source?.clientIDs ?? []) + [facts.intune?.clientID].compactMap(\.self)
    return others.filter { $0 != facts.clientID && ClientIDForm($0.value) == .malformed && $0.isAlmostGUID }
      .map { .form(ofClientID: $0, subject: subject) }
  }

  /// The findings of an Info.plist that does not name the scene delegate, so that the app has no window, and no delegate
  /// to which the system could pass a URL.
  ///
  /// Source: Apple, “Specifying the scenes your app supports”.
  var sceneChecks: [DoctorCheck] {
    guard let source = facts.source, source.swiftUIApp == nil, !facts.isExtension, facts.platform == .iOS,
      !source.choosesSceneDelegate, !facts.isBuilt,
      let own = source.delegateClasses.first(where: { $0.value == .sceneDelegate })
    else { return [] }
    func found(_ expected: String, _ written: Found<String>, _ mistake: String) -> DoctorCheck {
      check(
        .callback,
        Check(
          "Info.plist names the scene delegate", expected: expected, found: written.value, false,
          source: "real-apps.md §2(2)"), mistake, at: written.place)
    }
    if let misspelt = SceneKey.all.lazy.compactMap({ facts.misspelt[$0] }).first {
      var check = found(misspelt.key, misspelt.written, misspelt.mistake)
      check.misspelt = misspelt
      check.fix = "<key>\(misspelt.key)</key>"
      return [check]
    }
    let mistake = "Info.plist names no scene delegate of the app"
    let expected = "the class of \(fileName(own.place.path))"
    if let place = facts.lackingSceneDelegate { return [found(expected, Found("none", place), mistake)] }
    guard let delegate = facts.sceneDelegate, facts.hasSceneDelegate == false else { return [] }
    return [found(expected, delegate, mistake)]
  }
}
