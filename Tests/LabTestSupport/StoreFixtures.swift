import Foundation

@testable import SSOCore
@testable import SSOKeychain
@testable import SSOStore

/// A temporary folder that is removed with the object.
final class ScratchFolder: Sendable {
  let path: String
  var store: String { path + "/ssoterm/lab.sqlite" }

  /// Creates a folder.
  ///
  /// If `holdsSockets` is true, its path leaves room for a name in the 108 bytes of `sun_path` (unix(7)).
  init(holdsSockets: Bool = false) throws {
    let temporary = FileManager.default.temporaryDirectory.path
    let parent = holdsSockets && temporary.utf8.count > 30 ? "/tmp" : temporary
    path = parent + "/ssoterm-store-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func open(create: Bool = true) throws(StoreError) -> WorldStore {
    try WorldStore.open(.file(path: store), create: create)
  }
}

let noon = Instant(1_800_000_000)

func credential(
  _ account: String, service: String = "service", group: String = "TEAM.shared",
  generic: Data? = Data([1, 2]),
  type: Int? = 2001, label: String? = "label", data: Data = Data("secret".utf8)
) -> KeychainItem {
  KeychainItem(
    key: KeychainKey(accessGroup: group, account: account, service: service), generic: generic, type: type,
    label: label, data: data, createdAt: noon, modifiedAt: noon)
}

extension KeychainItem {
  /// The item without its row ID, for comparison with an item that was never stored.
  var unstored: KeychainItem {
    var item = self
    item.rowID = 0
    return item
  }
}

/// Everything that undo has to restore: every document and every item, unsealed.
struct Dump: Equatable {
  var documents: [String: Data] = [:]
  var items: [KeychainItem] = []

  init(_ store: WorldStore, devices: [String] = ["phone"], groups: [String] = ["TEAM.shared"]) throws {
    try store.read { transaction in
      for kind in DocumentKind.allCases {
        for (key, body) in try transaction.documents(kind, keyPrefix: "") {
          documents["\(kind) \(key)"] = body
        }
      }
      for device in devices {
        let query = KeychainQuery(accessGroups: groups)
        items += try transaction.credentials(device: device).items(matching: query)
      }
    }
  }
}
