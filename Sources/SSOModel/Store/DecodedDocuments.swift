import Essentials
import Synchronization

/// Documents as they were decoded last, each beside the sealed bytes that it came of.
///
/// Sealing the same document again gives other bytes, so what is stored decides: a change by whomever, or one that was taken
/// back, is seen at once.
///
/// To unseal and decode a document takes ten times as long as to find it, and a request reads two dozen.
final class DecodedDocuments: Sendable {
  private struct Place: Hashable {
    var kind: DocumentKind
    var key: String
  }

  private struct Kept {
    var sealed: Data
    var value: any Sendable
  }

  private static let limit = 1000
  private let kept = Mutex<[Place: Kept]>([:])

  /// The document that these bytes hold.
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
      kept[place] = Kept(sealed: sealed, value: value)
    }
    return value
  }
}

extension DocumentKind {
  /// Not those that have a new key for each sign-in.
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
