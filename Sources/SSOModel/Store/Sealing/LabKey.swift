import Essentials

/// The key of a lab, which is in a file of each user of the lab and never in its database.
package enum LabKey {
  /// Returns the sealed key of an open store, to give to another user.
  ///
  /// - Throws: `StoreError` if the store has no key file or it cannot be read.
  package static func sealed(of store: WorldStore) throws -> SealedKey { try SealedKey(read(of: store)) }

  static func read(of store: WorldStore) throws(StoreError) -> Data {
    guard let start = store.filesBeside else {
      throw .other(path: store.name, message: "a store in memory has no key")
    }
    return try KeyFile(store: start).read()
  }

  /// Saves the key of a lab that this user cannot open yet and returns its file, or returns `nil` if the lab
  /// already has this key.
  ///
  /// An existing key is never replaced.
  ///
  /// - Throws: `otherLabsKey` if it is not this lab's key, in which case it is not saved.
  package static func keep(_ key: Data, for location: WorldStore.Location) throws -> String? {
    do {
      let store = try WorldStore.open(location, create: false)
      guard try read(of: store) == key else { throw StoreError.otherLabsKey(store: location.name) }
      return nil
    } catch let error as StoreError {
      guard let file = missing(error) else { throw error }
      try KeyFile(path: file, store: location.name, missing: error, wrong: error).create(key)
      do { _ = try WorldStore.open(location, create: false) } catch {
        unlink(file)
        throw error.isWrongKey ? StoreError.otherLabsKey(store: location.name) : error
      }
      return file
    }
  }

  /// Returns the path where the missing key belongs, or `nil` for any other error.
  private static func missing(_ error: StoreError) -> String? {
    switch error {
    case .keyMissing(let path): path + ".key"
    case .server(_, .keyMissing(_, let file)): file
    default: nil
    }
  }
}

extension StoreError {
  fileprivate var isWrongKey: Bool {
    switch self {
    case .keyWrong, .server(_, .keyWrong): true
    default: false
    }
  }
}
