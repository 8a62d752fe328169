import Foundation

/// The seeds of the property tests.
///
/// Run `SSOTERM_SEEDS=1000:1100 swift test --filter Property` for other seeds.
enum PropertySeeds {
  static let all: [UInt64] = {
    let bounds = ProcessInfo.processInfo.environment["SSOTERM_SEEDS"]?.split(separator: ":").compactMap {
      UInt64($0)
    }
    if let bounds, bounds.count == 2, bounds[0] < bounds[1] { return Array(bounds[0]..<bounds[1]) }
    return Array(1...8)
  }()
}
