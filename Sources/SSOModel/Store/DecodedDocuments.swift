import Essentials
import Synchronization

/// A cache of decoded documents, each with the sealed bytes that it was decoded from.
///
/// Sealing a document again produces other bytes, so comparing with the stored bytes detects every change at
/// once, whoever made or undid it. Unsealing and decoding a document takes ten times as long as finding it,
/// and a request reads two dozen.
final class DecodedDocuments: Sendable {
  private struct Place: Hashable {
    var kind: DocumentKind
    var key: String
  }

  private struct CachedDocument {
    var sealed: Data
    var value: any Sendable
  }

  private static let limit = 1000
  private let kept = Mutex<[Place: CachedDocument]>([:])

  /// Returns the document in these sealed bytes.
  func value<T: Decodable & Sendable>(
    of kind: DocumentKind, _ key: String, sealed: UnsafeRawBufferPointer, open: (Data) throws -> Data
  ) throws -> T {
    guard kind.isReadAgain else { return try decodeJSON(T.self, from: open(Data(sealed))) }
    let place = Place(kind: kind, key: key)
    let known = kept.withLock { $0[place] }
    if let known, known.sealed.isSame(as: sealed), let value = known.value as? T { return value }
    let sealed = Data(sealed)
    let value = try decodeJSON(T.self, from: open(sealed))
    kept.withLock { kept in
      if kept.count >= Self.limit { kept.removeAll() }
      kept[place] = CachedDocument(sealed: sealed, value: value)
    }
    return value
  }
}

extension DocumentKind {
  /// Whether documents of this kind are read repeatedly.
  ///
  /// Kinds with a new key for each sign-in are not.
  fileprivate var isReadAgain: Bool {
    switch self {
    case .authorizationCode, .refreshToken, .ssoSession, .pendingSignIn: false
    default: true
    }
  }
}

extension Data {
  fileprivate func isSame(as bytes: UnsafeRawBufferPointer) -> Bool {
    withUnsafeBytes { own in
      guard let start = own.baseAddress, let other = bytes.baseAddress else { return false }
      return own.count == bytes.count && memcmp(start, other, own.count) == 0
    }
  }
}
