import DoctorTestSupport
import Foundation

@testable import SSODoctor

/// Returns a number in little-endian order, as in the files of apps.
func little(_ value: Int, _ width: Int = 4) -> [UInt8] {
  (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}

func big(_ value: Int) -> [UInt8] { little(value).reversed() }

/// A writer of zip archives, in which only `deflated` is compressed.
struct ZipWriter {
  var files: [(name: String, bytes: [UInt8])] = []
  /// Entries that are already deflated, with their uncompressed size.
  var deflated: [(name: String, bytes: [UInt8], size: Int)] = []
  /// The bytes before the central directory.
  var signingBlock: [UInt8] = []

  var data: Data {
    var bytes: [UInt8] = []
    var directory: [UInt8] = []
    let all =
      files.map { ($0.name, $0.bytes, $0.bytes.count, 0) } + deflated.map { ($0.name, $0.bytes, $0.size, 8) }
    for (name, content, size, method) in all {
      let sizes = little(0) + little(content.count) + little(size) + little(name.utf8.count, 2)
      directory +=
        little(0x0201_4B50) + little(20, 2) + little(20, 2) + little(0, 2) + little(method, 2) + little(0)
        + sizes
        + [UInt8](repeating: 0, count: 12) + little(bytes.count) + Array(name.utf8)
      bytes +=
        little(0x0403_4B50) + little(20, 2) + little(0, 2) + little(method, 2) + little(0) + sizes
        + little(0, 2)
        + Array(name.utf8) + content
    }
    bytes += signingBlock
    let start = bytes.count
    bytes += directory
    return Data(
      bytes + little(0x0605_4B50) + little(0) + little(all.count, 2) + little(all.count, 2)
        + little(directory.count) + little(start) + little(0, 2))
  }
}

/// A signed app: for iOS in an archive or a folder, for macOS in a folder.
struct BuiltAppFixture {
  enum Form: CaseIterable { case archive, folder }

  var info = XcodeFixture.info("").replacing("$(PRODUCT_BUNDLE_IDENTIFIER)", with: "com.contoso.mail")
  var entitlements = XcodeFixture.entitlements.replacing("$(AppIdentifierPrefix)", with: "A1B2C3D4E5.")
  var names = "MSALPublicClientApplication\0handleMSALResponse:sourceApplication:\0scene:openURLContexts:\0"
  var isFat = false
  var isForMac = false
  /// The team in the code directory and the profile.
  var team: String? = "A1B2C3D4E5"
  /// The platform under which the app's redirect URI is registered, as Microsoft Graph calls it.
  var platform = "publicClient"
  var redirectURI = "msauth.com.contoso.mail://auth"
  /// Whether the app has a code signature and a profile.
  var isSigned = true

  var registration: String {
    """
    { "appId": "\(XcodeFixture.clientID)", "displayName": "Mail",
      "\(platform)": { "redirectUris": ["\(redirectURI)"] } }
    """
  }

  var profile: Data? {
    guard isSigned, let team else { return nil }
    let list =
      "<?xml version=\"1.0\"?><plist><dict><key>TeamIdentifier</key><array><string>\(team)</string></array>"
      + "<key>Entitlements</key><dict/></dict></plist>"
    return Data([0x30, 0x82, 0x01, 0x00, 0x06, 0x09] + Array(list.utf8) + [0xA0, 0x00, 0xFF])
  }

  /// A code directory of version 0x20200, with the team after its fields.
  private var codeDirectory: [UInt8] {
    let text = Array((team ?? "").utf8) + [0]
    return big(0xFADE_0C02) + big(52 + text.count) + big(0x20200) + [UInt8](repeating: 0, count: 36)
      + big(team == nil ? 0 : 52) + text
  }

  /// A Mach-O file with one load command, and a signature with the code directory in slot 0 and the entitlements in
  /// slot 5.
  var executable: Data {
    let blob = big(0xFADE_7171) + big(8 + entitlements.utf8.count) + Array(entitlements.utf8)
    let directory = codeDirectory
    let signature =
      big(0xFADE_0CC0) + big(28 + directory.count + blob.count) + big(2) + big(0) + big(28) + big(5)
      + big(28 + directory.count) + directory + blob
    let text = Array(names.utf8)
    let start = 32 + 16 + text.count
    let header =
      little(0xFEED_FACF) + little(0x0100_000C) + little(0) + little(2) + little(1) + little(16)
      + little(0, 8)
    let thin =
      header + little(isSigned ? 0x1D : 0x1B) + little(16) + little(start) + little(signature.count) + text
      + signature
    guard isFat else { return Data(thin) }
    return Data(
      big(0xCAFE_BABE) + big(1) + big(0x0100_000C) + big(0) + big(28) + big(thin.count) + big(14) + thin)
  }

  /// The files by their paths in the app.
  private var files: [(path: String, bytes: [UInt8])] {
    let list = info.replacing(
      "<dict>\n  <key>CFBundleIdentifier",
      with: "<dict>\n  <key>CFBundleExecutable</key><string>Mail</string><key>CFBundleIdentifier")
    let base = isForMac ? "Contents/" : ""
    let all = [
      (base + "Info.plist", Data(list.utf8)), (base + (isForMac ? "MacOS/Mail" : "Mail"), executable),
    ]
    let profile = profile.map {
      [(base + (isForMac ? "embedded.provisionprofile" : "embedded.mobileprovision"), $0)]
    }
    return (all + (profile ?? [])).map { ($0.0, Array($0.1)) }
  }

  var archive: Data {
    var zip = ZipWriter()
    zip.files = files.map { ("Payload/Mail.app/" + $0.path, $0.bytes) }
    return zip.data
  }

  /// Returns the doctor's diagnosis of the app together with its registration.
  func diagnosis(_ form: Form) throws -> Diagnosis {
    var all = [("registration.json", Data(registration.utf8))]
    switch form {
    case .archive: all.append(("Mail.ipa", archive))
    case .folder: all += files.map { ("Mail.app/" + $0.path, Data($0.bytes)) }
    }
    return try withFolder(of: Dictionary(uniqueKeysWithValues: all)) { folder in
      try Doctor.examine(
        [folder + (form == .archive ? "/Mail.ipa" : "/Mail.app"), folder + "/registration.json"],
        clientID: XcodeFixture.clientID)
    }
  }
}

/// A signed APK of the Android fixture.
struct APKFixture {
  /// The certificate, whose SHA-1 hash in Base64 is ``AndroidFixture/hash`` of the clean fixture.
  var certificate = Array("a certificate of our own".utf8)
  var manifest = AndroidFixture().files[AndroidFixture.manifest] ?? ""
  var configuration = AndroidFixture().files[AndroidFixture.configuration] ?? ""

  private static func piece(_ bytes: [UInt8]) -> [UInt8] { little(bytes.count) + bytes }

  var signingBlock: [UInt8] {
    let signed = Self.piece([]) + Self.piece(Self.piece(certificate))
    let signers = Self.piece(Self.piece(Self.piece(signed)))
    let pair = little(signers.count + 4, 8) + little(0x7109_871A) + signers
    let size = pair.count + 24
    return little(size, 8) + pair + little(size, 8) + Array("APK Sig Block 42".utf8)
  }

  func archive() throws -> Data {
    let text = manifest.replacing("${applicationId}", with: "com.contoso.notes")
      .replacing("<manifest ", with: "<manifest package=\"com.contoso.notes\" ")
    var zip = ZipWriter()
    zip.files = [
      ("AndroidManifest.xml", BinaryXMLWriter.bytes(of: try XMLReader.read(Array(text.utf8)))),
      ("res/raw/auth_config.json", Array(configuration.utf8)),
    ]
    zip.signingBlock = signingBlock
    return zip.data
  }
}

/// A writer of an APK's binary XML.
enum BinaryXMLWriter {
  private static let android = "http://schemas.android.com/apk/res/android"

  static func bytes(of root: XMLElement) -> [UInt8] {
    var strings = [android]
    func index(_ text: String) -> Int {
      if let known = strings.firstIndex(of: text) { return known }
      strings.append(text)
      return strings.count - 1
    }
    func chunk(_ type: Int, _ header: [UInt8], _ body: [UInt8]) -> [UInt8] {
      little(type, 2) + little(8 + header.count, 2) + little(8 + header.count + body.count) + header + body
    }
    func element(_ element: XMLElement) -> [UInt8] {
      let attributes = element.attributes.filter { !$0.name.hasPrefix("xmlns") }.flatMap {
        attribute -> [UInt8] in
        let isAndroid = attribute.name.hasPrefix("android:")
        let name = index(isAndroid ? String(attribute.name.dropFirst(8)) : attribute.name)
        let isFlag = ["true", "false"].contains(attribute.value)
        let value = isFlag ? (attribute.value == "true" ? -1 : 0) : index(attribute.value)
        return little(isAndroid ? 0 : -1) + little(name) + little(-1) + little(8, 2) + [
          0, isFlag ? 0x12 : 0x03,
        ]
          + little(value)
      }
      let count = attributes.count / 20
      let start = chunk(
        0x0102, little(1) + little(-1),
        little(-1) + little(index(element.name)) + little(20, 2) + little(20, 2) + little(count, 2)
          + little(0, 6)
          + attributes)
      let end = chunk(0x0103, little(1) + little(-1), little(-1) + little(index(element.name)))
      return start + element.children.flatMap(element(_:)) + end
    }
    let tree = element(root)
    var offsets: [UInt8] = []
    var texts: [UInt8] = []
    for string in strings {
      offsets += little(texts.count)
      texts += little(string.utf16.count, 2) + string.utf16.flatMap { little(Int($0), 2) } + [0, 0]
    }
    let pool = chunk(
      0x0001,
      little(strings.count) + little(0) + little(0) + little(28 + offsets.count) + little(0), offsets + texts)
    return little(0x0003, 2) + little(8, 2) + little(8 + pool.count + tree.count) + pool + tree
  }
}
