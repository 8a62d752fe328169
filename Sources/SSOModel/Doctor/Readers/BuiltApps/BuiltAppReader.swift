import Essentials
import SSODevice

/// The files of a built app, in a folder or in an archive.
enum BundleFiles {
  case folder(String)
  case archive(ZipArchive, path: String, prefix: String)

  /// Returns the path of a file as it is displayed.
  func path(_ name: String) -> String {
    switch self {
    case .folder(let folder): folder + "/" + name
    case .archive(_, let path, let prefix): path + "/" + prefix + name
    }
  }

  /// Returns the contents of a file, or `nil` if it does not exist.
  func data(_ name: String) throws(ReadingError) -> Data? {
    switch self {
    case .folder(let folder):
      guard ProjectFiles.exists(folder + "/" + name) else { return nil }
      return try ProjectFiles.data(folder + "/" + name, limit: ZipArchive.sizeLimit)
    case .archive(let archive, _, let prefix):
      guard let entry = archive.entry(prefix + name) else { return nil }
      return try archive.data(entry)
    }
  }

  func contains(folder name: String) -> Bool {
    switch self {
    case .folder(let folder): ProjectFiles.isFolder(folder + "/" + name)
    case .archive(let archive, _, let prefix):
      archive.entries.contains { $0.name.hasPrefix(prefix + name + "/") }
    }
  }
}

/// A reader of the facts of a built app: an `.app`, or the app in an `.ipa`.
struct BuiltAppReader {
  /// Returns whether a folder whose name ends in `.app` is a project's: it has no Info.plist, but a file of a project.
  static func isProject(_ path: String) -> Bool {
    func has(_ name: String) -> Bool { ProjectFiles.exists(path + "/" + name) }
    return !has("Info.plist") && !has("Contents/Info.plist")
      && (ProjectFiles.projectNames.contains(where: has)
        || !ProjectFiles(path).find({ $0.hasSuffix(".xcodeproj") || $0.hasSuffix(".csproj") }).isEmpty)
  }

  /// Reads an `.app` folder.
  ///
  /// A macOS app has its files in `Contents`.
  static func readFolder(_ path: String) throws(ReadingError) -> (AppleFacts, [UnreadFile]) {
    let name = fileName(path).replacing(".app", with: "")
    let contents = path + "/Contents"
    guard ProjectFiles.exists(contents + "/Info.plist") else { return try read(.folder(path), name: name) }
    return try read(.folder(contents), name: name, on: .macOS)
  }

  private static func read(
    _ files: BundleFiles, name: String, on platform: Platform = .iOS
  ) throws(ReadingError) -> (AppleFacts, [UnreadFile]) {
    let infoPath = files.path("Info.plist")
    guard let data = try files.data("Info.plist") else {
      throw ReadingError("there is no Info.plist in the app")
    }
    let info = try PropertyListReader.read(data)
    var reader = AppleReader(facts: AppleFacts(name: name, origin: FilePlace(infoPath)))
    reader.takeInfo(info, path: infoPath)
    reader.facts.isBuilt = true
    reader.facts.platform = platform
    let executableName = info["CFBundleExecutable"]?.string ?? name
    // The name must not lead outside the app.
    guard !executableName.contains("/") else { throw ReadingError("CFBundleExecutable is a path") }
    let (folder, profile) =
      platform == .macOS ? ("MacOS/", "embedded.provisionprofile") : ("", "embedded.mobileprovision")
    let executable = folder + executableName
    reader.facts.entitlements = .none(FilePlace(files.path(executable)), unused: nil)
    if let data = try files.data(executable) {
      reader.takeExecutable(data, path: files.path(executable), files)
    }
    if let data = try files.data(profile) { reader.takeProfile(data, path: files.path(profile)) }
    // All names may have been stripped from the executable.
    reader.facts.impliedSDK = reader.facts.impliedSDK ?? reader.facts.shownSDK
    // Xcode signs simulator builds without entitlements.
    if case .none = reader.facts.entitlements, info["DTPlatformName"]?.string == "iphonesimulator" {
      reader.facts.entitlements = .unread
    }
    return (reader.facts, reader.unread)
  }

  /// Reads the app in an archive, which is a folder such as `Payload/Mail.app/`.
  static func readArchive(_ data: Data, path: String) throws(ReadingError) -> (AppleFacts, [UnreadFile]) {
    let archive = try ZipArchive(data)
    let info = archive.entries.first {
      let parts = $0.name.split(separator: "/")
      return parts.count == 3 && parts[0] == "Payload" && parts[1].hasSuffix(".app")
        && parts[2] == "Info.plist"
    }
    guard let info else {
      throw ReadingError("it does not contain Payload/….app/Info.plist, as an .ipa does")
    }
    let prefix = String(info.name.dropLast("Info.plist".count))
    return try read(
      .archive(archive, path: path, prefix: prefix), name: fileName(prefix).replacing(".app", with: ""))
  }
}

extension AppleReader {
  /// Reads the entitlements and the team of the code signature, and searches the executable for names of the SDKs.
  fileprivate mutating func takeExecutable(_ data: Data, path: String, _ files: BundleFiles) {
    do throws(ReadingError) {
      let signature = try MachO.signature(data)
      if let entitlements = signature?.entitlements { takeEntitlements(entitlements, path: path) }
      if let team = signature?.teamID { facts.teamID = facts.teamID ?? Found(team, FilePlace(path)) }
    } catch {
      facts.entitlements = .unread
      unread.append(UnreadFile(path: path, error: error))
    }
    let bytes = ByteReader(data)
    func has(_ text: String) -> Bool { bytes.firstIndex(of: text) != nil }
    let found = SDKKind.allCases.first {
      files.contains(folder: "Frameworks/\($0.rawValue).framework") || has($0.mainClass)
    }
    facts.impliedSDK = found ?? facts.impliedSDK
    guard facts.impliedSDK == .msal else { return }
    // MSAL itself contains the selector, and SwiftUI has its own delegate, so only an absence proves anything.
    if !has("handleMSALResponse") {
      facts.builtForwarding = Found(.neither, FilePlace(path))
    } else if facts.usesScenes != nil, !has("scene:openURLContexts:"), !has("SwiftUI.framework") {
      let takesURLs = has("application:openURL:options:")
      facts.builtForwarding = Found(takesURLs ? .appDelegate : .neither, FilePlace(path))
    }
    if facts.platform == .macOS, has(AppleRules.unsignedRedirectURI) {
      facts.builtRedirectURI = Found(AppleRules.unsignedRedirectURI, FilePlace(path))
    }
  }

  /// Reads the team, and the entitlements that the signature may contain, from `embedded.mobileprovision`.
  fileprivate mutating func takeProfile(_ data: Data, path: String) {
    do throws(ReadingError) {
      let profile = try ProvisioningProfile.read(data)
      if let team = profile["TeamIdentifier"]?.strings.first {
        facts.teamID = facts.teamID ?? Found(team.text, FilePlace(path, line: team.line))
      }
      if case .none = facts.entitlements, let entitlements = profile["Entitlements"] {
        takeEntitlements(entitlements, path: path)
      }
    } catch {
      unread.append(UnreadFile(path: path, error: error))
    }
  }
}

/// A reader of the facts of an APK.
enum APKReader {
  private static let configurationLimit = 256 << 10

  static func read(_ data: Data, path: String) throws(ReadingError) -> AndroidFacts {
    let archive = try ZipArchive(data)
    guard let entry = archive.entry("AndroidManifest.xml") else {
      throw ReadingError("it does not contain AndroidManifest.xml, as an .apk does")
    }
    let place = path + "/AndroidManifest.xml"
    var facts = AndroidFacts(name: fileName(path), origin: FilePlace(place))
    // The classes are not read.
    facts.usage = FilePlace(path)
    AndroidManifestReader.take(
      try BinaryXML.read(try archive.data(entry)), path: place, values: [:], into: &facts)
    facts.signatureHashes = try APKSignature.hashes(archive)
    for entry in archive.entries
    where entry.name.hasSuffix(".json") && ["res/", "assets/"].contains(where: { entry.name.hasPrefix($0) })
      && entry.size <= configurationLimit
    {
      let text = String(decoding: try archive.data(entry), as: UTF8.self)
      guard AndroidFacts.Configuration.mayBe(text) else { continue }
      // Other libraries' files do not count, whatever they contain.
      if let configuration = try? AndroidFacts.Configuration.read(text, path: path + "/" + entry.name) {
        facts.configurations.append(configuration)
      }
    }
    return facts
  }
}

/// A reader of the entitlements and the team in a Mach-O executable's code signature (Apple: `loader.h`, `cs_blobs.h`).
enum MachO {
  struct Signature {
    /// The entitlements, or `nil` if the executable was signed without entitlements.
    var entitlements: PropertyListNode?
    /// The team ID, or `nil` if the executable was signed without a team, for the local machine only.
    var teamID: String?
  }

  private static let commandLimit = 10_000
  private static let sliceLimit = 32
  private static let teamLimit = 64

  /// Returns the code signature, or `nil` if the executable is not signed.
  /// - Throws: `ReadingError` if the data is not an executable or is truncated.
  static func signature(_ data: Data) throws(ReadingError) -> Signature? {
    let file = ByteReader(data)
    // A fat file has a slice for each processor; all are signed alike.
    if try file.big(0) == 0xCAFE_BABE {
      let count = try file.big(4)
      guard count > 0, count <= sliceLimit else { throw ReadingError("a fat file with \(count) slices") }
      let (offset, size) = (try file.big(16), try file.big(20))
      return try slice(ByteReader(try file.slice(offset, size)))
    }
    return try slice(file)
  }

  private static func slice(_ file: ByteReader) throws(ReadingError) -> Signature? {
    let header =
      switch try file.little(0) {
      case 0xFEED_FACF: 32
      case 0xFEED_FACE: 28
      default: throw ReadingError("not a Mach-O executable")
      }
    var place = header
    for _ in 0..<min(try file.little(16), commandLimit) {
      let size = try file.little(place + 4)
      guard size >= 8 else { throw ReadingError("byte \(place): a load command of \(size) bytes") }
      if try file.little(place) == 0x1D {
        let (offset, length) = (try file.little(place + 8), try file.little(place + 12))
        return try signature(ByteReader(try file.slice(offset, length)))
      }
      place += size
    }
    return nil
  }

  /// Reads a signature's blobs: slot 0 has the code directory, slot 5 the entitlements as XML, and slot 7 the same as
  /// DER.
  private static func signature(_ blob: ByteReader) throws(ReadingError) -> Signature {
    guard try blob.big(0) == 0xFADE_0CC0 else { throw ReadingError("the code signature has no blobs") }
    var signature = Signature()
    var slots: Set<Int> = []
    for index in 0..<min(try blob.big(8), sliceLimit) {
      let (slot, offset) = (try blob.big(12 + index * 8), try blob.big(16 + index * 8))
      guard slots.insert(slot).inserted else { continue }
      if slot == 0 { signature.teamID = try team(blob, offset) }
      guard slot == 5 else { continue }
      guard try blob.big(offset) == 0xFADE_7171 else {
        throw ReadingError("slot 5 does not contain entitlements")
      }
      let length = try blob.big(offset + 4)
      signature.entitlements = try PropertyListReader.read(
        Data(try blob.slice(offset + 8, max(0, length - 8))))
    }
    guard signature.entitlements != nil || !slots.contains(7) else {
      throw ReadingError("the signature has its entitlements in DER only")
    }
    return signature
  }

  /// Returns the team in a code directory, or `nil` if it does not contain one.
  ///
  /// Code directories have a team from version 0x20200 on. It is a null-terminated string.
  private static func team(_ blob: ByteReader, _ directory: Int) throws(ReadingError) -> String? {
    guard try blob.big(directory) == 0xFADE_0C02, try blob.big(directory + 8) >= 0x20200 else { return nil }
    let place = try blob.big(directory + 48)
    guard place > 0 else { return nil }
    let text = try blob.slice(directory + place, min(teamLimit, max(0, blob.count - directory - place)))
      .prefix { $0 != 0 }
    return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
  }
}

/// A reader of `embedded.mobileprovision`, a signed envelope (CMS, RFC 5652) around a property list.
///
/// The envelope contains the list unchanged. Its signature is for Apple to verify.
enum ProvisioningProfile {
  static func read(_ data: Data) throws(ReadingError) -> PropertyListNode {
    let file = ByteReader(data)
    let end = "</plist>"
    guard let start = file.firstIndex(of: "<?xml") ?? file.firstIndex(of: "<plist"),
      let close = file.firstIndex(of: end, from: start)
    else { throw ReadingError("it does not contain a property list, as a provisioning profile does") }
    return try PropertyListReader.read(Data(file.bytes[start..<close + end.utf8.count]))
  }
}
