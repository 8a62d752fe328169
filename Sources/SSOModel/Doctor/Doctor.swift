import Essentials
import SSOCore
import SSODevice

/// A type that reads and checks the given projects (docs/behaviour/real-apps.md §3).
///
/// It does not modify them or run anything in them.
package struct Doctor {
  /// The client ID for apps whose files do not contain one.
  private let clientID: String?
  private var diagnosis = Diagnosis()
  private var unreadableProjects: [UnreadFile] = []

  /// Reads and checks the files of projects.
  ///
  /// `clientID` is for apps whose files do not contain one.
  /// - Throws: `UnreadableProject` for a path that cannot be read, or whose type is not supported.
  package static func examine(_ paths: [String], clientID: String? = nil) throws(UnreadableProject)
    -> Diagnosis
  {
    let result = ProjectFiles.$listing.withValue(FolderListing()) {
      Result { () throws(UnreadableProject) in try read(paths, clientID: clientID) }
    }
    return try result.get()
  }

  private static func read(_ paths: [String], clientID: String?) throws(UnreadableProject) -> Diagnosis {
    var doctor = Doctor(clientID: clientID)
    for path in paths {
      do throws(ReadingError) {
        try doctor.read(path)
      } catch {
        throw UnreadableProject(path: path, error: error)
      }
    }
    // Check the projects that can be read, and throw only if none can.
    if doctor.diagnosis.isEmpty, doctor.diagnosis.vendors.isEmpty,
      let project = doctor.unreadableProjects.first
    {
      throw UnreadableProject(path: project.path, error: project.error)
    }
    doctor.check()
    return doctor.diagnosis
  }

  private init(clientID: String?) { self.clientID = clientID }

  /// The files that can be checked without a project, by the ends of their names.
  package enum FileType: String {
    case json, plist, entitlements, ipa, apk, mobileprovision, mobileconfig, pbxproj

    /// Creates the type of a path, or `nil` for any other file.
    package init?(_ path: String) {
      // The name of a protected resource's metadata on its server (RFC 9728 §3).
      if DomainAssociationFacts.isName(fileName(path)) {
        self = .json
        return
      }
      if path.hasSuffix("/oauth-protected-resource") || path == "oauth-protected-resource" {
        self = .json
        return
      }
      guard let end = path.split(separator: ".").last else { return nil }
      self.init(rawValue: end.lowercased())
    }
  }

  // MARK: Reading

  private mutating func read(_ path: String) throws(ReadingError) {
    if ProjectFiles.isFolder(path) { return try readFolder(path) }
    let data = try ProjectFiles.data(path)
    switch FileType(path) {
    case .json:
      if DomainAssociationFacts.isName(fileName(path)) {
        guard let facts = try DomainAssociationFacts.read(data, path: path) else {
          throw ReadingError("it does not name an app")
        }
        diagnosis.associations.append(facts)
      } else if let facts = try RegistrationFacts.read(data, path: path) {
        diagnosis.registrations.append(facts)
      } else if let facts = try ResourceMetadataFacts.read(data, path: path) {
        diagnosis.resources.append(facts)
      } else {
        throw ReadingError(
          "not an app registration, with appId and redirect URIs, nor a protected resource's metadata, with resource"
        )
      }
    case .plist, .entitlements:
      takeLoose(try PropertyListReader.read(data), path: path)
    case .ipa: take(try BuiltAppReader.readArchive(data, path: path))
    case .apk: diagnosis.android.append(try APKReader.read(data, path: path))
    case .mobileprovision:
      let profile = try ProvisioningProfile.read(data)
      guard let entitlements = profile["Entitlements"] else {
        throw ReadingError("the profile has no Entitlements")
      }
      takeLoose(entitlements, path: path)
    case .mobileconfig: diagnosis.profiles += try SSOProfileFacts.read(data, path: path)
    case .pbxproj: try readProject(folder(of: path))
    case nil:
      throw ReadingError("expected a project, an app, a property list, a profile or a registration")
    }
  }

  private mutating func take(_ built: (facts: AppleFacts, unread: [UnreadFile])) {
    diagnosis.apple.append(built.facts)
    diagnosis.unread += built.unread
  }

  /// Adds a property list that was given without a project.
  ///
  /// An Info.plist and an entitlements file that are given without a project belong to one app.
  private mutating func takeLoose(_ list: PropertyListNode, path: String) {
    let isEntitlements =
      !path.hasSuffix(".plist")
      || list["keychain-access-groups"] != nil
        && !(list.dictionary ?? []).contains { $0.key.hasPrefix("CFBundle") }
    let place = diagnosis.apple.lastIndex {
      $0.isLoose && (isEntitlements ? $0.entitlements == .unread : $0.urlSchemes == nil)
    }
    var reader = AppleReader(
      facts: place.map { diagnosis.apple[$0] } ?? AppleFacts(name: fileName(path), origin: FilePlace(path)))
    if isEntitlements {
      reader.takeEntitlements(list, path: path)
    } else {
      reader.takeInfo(list, path: path)
    }
    reader.facts.impliedSDK = reader.facts.shownSDK
    if let place { diagnosis.apple[place] = reader.facts } else { diagnosis.apple.append(reader.facts) }
  }

  private mutating func readFolder(_ path: String) throws(ReadingError) {
    let files = ProjectFiles(path)
    if files.root.hasSuffix(".app"), !BuiltAppReader.isProject(files.root) {
      return take(try BuiltAppReader.readFolder(files.root))
    }
    let isProject = files.root.hasSuffix(".xcodeproj")
    if isProject, ProjectFiles.exists(files.root + "/project.pbxproj") { return try readProject(files.root) }
    // Without its file, a project is the folder that contains it.
    let isBundle = isProject || files.root.hasSuffix(".xcworkspace")
    let base = isBundle ? ProjectFiles(folder(of: files.root)) : files
    let (found, isComplete) = base.search { $0.hasSuffix(".xcodeproj") }
    let bundles = found.filter(ProjectFiles.isFolder)
    let projects = bundles.filter { ProjectFiles.exists($0 + "/project.pbxproj") }
    var notes = ProjectNote.find(base)
    if projects.isEmpty, notes.isEmpty, let note = ProjectNote.bareFolder(base) { notes = [note] }
    let partial = notes.filter { note in
      // If there is an Xcode project, it is read instead.
      note.kind == .maui || !note.kind.isWithoutProject
        || !projects.contains { folder(of: $0) == note.base }
    }
    let before = diagnosis.appCount
    for project in bundles {
      let note = ProjectNote.containing(project, notes)
      // A tool makes the project's file, and the bundle may have only what users share.
      if let note, note.kind.isGenerated, !projects.contains(project) { continue }
      do throws(ReadingError) {
        try readProject(project, wrapper: note)
      } catch {
        let file = UnreadFile(path: project + "/project.pbxproj", error: error)
        unreadableProjects.append(file)
        diagnosis.unread.append(file)
      }
    }
    let generated = partial.filter { readGenerated($0) }
    let loose = FolderAppReader.read(base, partial.filter { !generated.contains($0) })
    diagnosis.apple += loose.apps
    diagnosis.unread += loose.unread
    let android = GradleReader.read(base)
    let dotNet = DotNetAndroidReader.read(base)
    diagnosis.android += android.apps + dotNet.apps
    diagnosis.unread += android.unread
    let web = WebReader.read(base)
    diagnosis.web += web.apps
    diagnosis.unread += web.unread
    let vendors = VendorReader.read(base)
    diagnosis.vendors += vendors.facts
    diagnosis.unread += vendors.unread
    diagnosis.associations += base.find(DomainAssociationFacts.isName).compactMap { path in
      (try? ProjectFiles.data(path, limit: 1 << 20)).flatMap {
        try? DomainAssociationFacts.read($0, path: path)
      }
    }
    // The dependencies of a project without MSAL are known, so it does not need a note.
    diagnosis.notes += partial.filter {
      $0.kind.isWithoutProject && $0.kind != .folder || $0.library != nil || diagnosis.appCount > before
    }
    if diagnosis.appCount > before {
      // The app for iOS of the same project was read.
      diagnosis.uses += dotNet.others.map { LibraryUse(library: "MSAL.NET on Android", place: $0) }
    }
    if !isComplete { diagnosis.notes.append(ProjectNote(kind: .large, place: FilePlace(base.root))) }
    readResources(in: base)
    if diagnosis.appCount == before { readLists(in: base) }
    diagnosis.uses +=
      diagnosis.appCount == before
      ? LibraryUse.find(base).filter { use in
        !diagnosis.vendors.contains { use.library.hasPrefix($0.vendor.name) }
      } : LibraryUse.findBesideApps(base).filter { !diagnosis.covers($0) }
  }

  /// Reads the metadata of the protected resources that a project publishes: the file of the well-known name, or the
  /// files in the folder of this name, for resources with a path (RFC 9728 §3.1).
  private mutating func readResources(in files: ProjectFiles) {
    let name = "oauth-protected-resource"
    let places = files.find { $0 == name || $0 == name + ".json" }
    let paths = places.flatMap { place in
      ProjectFiles.isFolder(place) ? ProjectFiles(place).find { !$0.isEmpty } : [place]
    }
    diagnosis.resources += paths.compactMap { path in
      (try? ProjectFiles.data(path, limit: 1 << 20)).flatMap {
        try? ResourceMetadataFacts.read($0, path: path)
      }
    }
  }

  /// Reads the property lists in a folder that contains nothing else of an app, if they show an SDK.
  private mutating func readLists(in files: ProjectFiles) {
    let others = diagnosis.apple
    let lists = files.find { [.plist, .entitlements].contains(FileType($0)) }
      .filter { simplified(folder(of: $0)) == simplified(files.root) }
    for path in lists {
      guard let data = try? ProjectFiles.data(path), let list = try? PropertyListReader.read(data) else {
        continue
      }
      takeLoose(list, path: path)
    }
    if diagnosis.apple.dropFirst(others.count).allSatisfy({ $0.impliedSDK == nil }) {
      diagnosis.apple = others
    }
  }

  /// Reads the project that XcodeGen makes from its own file, and returns whether it has an app with MSAL.
  private mutating func readGenerated(_ note: ProjectNote) -> Bool {
    guard note.kind == .xcodeGen, let project = XcodeGenReader.read(note.place.path) else { return false }
    let reader = XcodeReader(project, note.base + "/Project.xcodeproj")
    guard !reader.apps.isEmpty else { return false }
    diagnosis.apple += reader.apps
    diagnosis.vendors += reader.cutOff
    diagnosis.unread += reader.unread
    return true
  }

  private mutating func readProject(
    _ bundle: String, wrapper: ProjectNote? = nil
  ) throws(ReadingError) {
    let reader = try XcodeReader(bundle, wrapper: wrapper)
    diagnosis.apple += reader.apps
    diagnosis.vendors += reader.cutOff
    diagnosis.unread += reader.unread
  }

  // MARK: Checking

  private mutating func check() {
    diagnosis.makeNamesUnique()
    var checked: Set<String> = []
    let clientID = clientID ?? diagnosis.pairedClientID
    for facts in diagnosis.apple {
      diagnosis.checks += AppleRules(
        facts: facts, givenClientID: clientID, registrations: diagnosis.registrations
      ).checks()
      if let app = InstalledApp(facts, clientID: clientID) {
        checked.insert(app.withDerivedRedirectURI(on: facts.platform).redirectURI)
      }
    }
    for facts in diagnosis.android {
      diagnosis.checks += AndroidRules(
        facts: facts, registrations: diagnosis.registrations, givenClientID: clientID
      ).checks()
      checked.formUnion(facts.configurations.compactMap(\.redirectURI?.value))
    }
    for facts in diagnosis.web {
      diagnosis.checks += WebRules(
        facts: facts, registrations: diagnosis.registrations, givenClientID: clientID
      ).checks()
      checked.formUnion(facts.configurations.compactMap(\.redirectURI.found?.value))
    }
    checked.formUnion(diagnosis.vendors.flatMap { $0.server?.redirects.map(\.value) ?? [] })
    let clientIDs = diagnosis.clientIDs(given: clientID)
    for index in diagnosis.registrations.indices {
      diagnosis.registrations[index].isCompared =
        diagnosis.appCount == 0 || clientID != nil || clientIDs.contains { !$0.value.isEmpty }
    }
    for registration in diagnosis.registrations {
      diagnosis.checks += registration.ownerCheck(among: clientIDs).map { [$0] } ?? []
      diagnosis.checks += registration.checks(besides: checked)
    }
    for resource in diagnosis.resources { diagnosis.checks += resource.checks() }
    for facts in diagnosis.associations {
      diagnosis.checks += facts.checks(diagnosis.android, diagnosis.apple, diagnosis.vendors)
    }
    for facts in diagnosis.vendors {
      diagnosis.checks += VendorRules(facts: facts, registrations: diagnosis.registrations).checks()
    }
    let bundleIDs = diagnosis.apple.compactMap { $0.bundleID?.value }
    for profile in diagnosis.profiles { diagnosis.checks += profile.checks(of: bundleIDs) }
    diagnosis.removeRepetitions()
    diagnosis.findForeignSchemes()
    for index in diagnosis.android.indices { diagnosis.android[index].takeFailure(diagnosis.checks) }
  }
}

extension Diagnosis {
  /// The client ID of the only registration, if it was given with a single app whose files do not contain a client ID.
  fileprivate var pairedClientID: String? {
    let apps = Set(apple.filter { !$0.isExtension }.map(\.origin))
    guard registrations.count == 1, apps.count + android.count + web.count == 1,
      apple.allSatisfy({ $0.clientID == nil && $0.sdk != nil }),
      android.allSatisfy({ $0.configurations.allSatisfy { $0.clientID == nil } }),
      web.allSatisfy({
        $0.configurations.allSatisfy { $0.clientID.found == nil && $0.unseen["clientId"] == nil }
      })
    else { return nil }
    return registrations.first?.clientID.value
  }

  /// Returns the distinct client IDs of all apps, without unknown client IDs and placeholders.
  fileprivate func clientIDs(given: String?) -> [Found<String>] {
    let all =
      apple.compactMap { facts in
        facts.clientID ?? (facts.sdk == nil ? nil : given.map { Found($0, facts.origin) })
      } + android.flatMap { $0.configurations.compactMap(\.clientID) }
      + web.flatMap { $0.configurations.compactMap(\.clientID.found) }
      + vendors.flatMap { $0.server?.clientIDs ?? [] }
    return all.filter { !$0.value.isEmpty && !Placeholders.contain($0.value) }
      .reduce(into: []) { ids, id in if !ids.contains(where: { $0.value == id.value }) { ids.append(id) } }
  }

  /// Keeps the first of several findings of an app that differ only in their places.
  fileprivate mutating func removeRepetitions() {
    var seen: Set<[String]> = []
    checks = checks.filter { check in
      guard check.hasFailed else { return true }
      return seen.insert([
        check.subject, check.rule.name, check.check.name, check.check.expected, check.check.found,
      ]).inserted
    }
  }

  /// Makes the names of apps and registrations unique, because a check refers to its subject by name.
  fileprivate mutating func makeNamesUnique() {
    var owners: [String: FilePlace] = [:]
    for index in apple.indices {
      // The iOS and macOS folders of a wrapper have targets of the same name.
      let (name, origin) = (apple[index].name, apple[index].origin)
      let names = [name, "\(name) (\(apple[index].platform.rawValue))"] + (2...99).map { "\(name) (\($0))" }
      let free = names.first { owners[$0] == nil || owners[$0] == origin } ?? name
      owners[free] = origin
      apple[index].name = free
    }
    var taken = Set(apple.map(\.subject))
    func unique(_ name: String, _ words: String) -> String {
      let names = [name, "\(name) (\(words))"] + (2...99).map { "\(name) (\($0))" }
      let free = names.first { !taken.contains($0) } ?? name
      taken.insert(free)
      return free
    }
    for index in android.indices { android[index].name = unique(android[index].name, "Android") }
    for index in web.indices { web[index].name = unique(web[index].name, "browser") }
    for index in registrations.indices {
      registrations[index].name = unique(registrations[index].name, "registration")
    }
    for index in resources.indices { resources[index].name = unique(resources[index].name, "resource") }
    for index in associations.indices {
      associations[index].name = unique(associations[index].name, "domain")
    }
    for index in vendors.indices { vendors[index].name = unique(vendors[index].name, "library") }
  }
}

extension AppleFacts {
  /// Whether the facts come only from loose property lists.
  fileprivate var isLoose: Bool {
    source == nil && ["plist", "entitlements", "mobileprovision"].contains { origin.path.hasSuffix($0) }
  }

  /// The SDK whose values the property lists contain, or `nil` if they do not show an SDK.
  ///
  /// ADAL queries the scheme `msauth`, and MSAL `msauthv2` and `msauthv3` (docs/behaviour/broker.md §1).
  var shownSDK: SDKKind? {
    let queried = querySchemes?.values ?? []
    let isADAL =
      queried.contains("msauth") && !queried.contains("msauthv2")
      && !(urlSchemes?.values ?? []).contains { $0.hasPrefix("msauth.") || $0.hasPrefix("msal") }
    return isADAL ? .adal : showsMSAL ? .msal : nil
  }

  /// Whether the property lists contain values that only MSAL needs.
  var showsMSAL: Bool {
    var groups: [String] = []
    if case .groups(let list?, _) = entitlements { groups = list.values }
    return querySchemes?.values.contains { $0.hasPrefix("msauth") } ?? false
      || urlSchemes?.values.contains { $0.hasPrefix("msauth") || $0.hasPrefix("msal") } ?? false
      || groups.contains { $0.hasSuffix(PlatformDefaults(platform).sharingGroup ?? "/") }
  }
}

/// An error for a path that cannot be checked, because it does not exist or its contents do not match its type.
package struct UnreadableProject: Error, Hashable, Sendable {
  package var path: String
  package var error: ReadingError

  package var what: String { "\(path) cannot be checked." }
  package var why: String { error.description }
}
