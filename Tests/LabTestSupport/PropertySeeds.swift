import Foundation

/// The seeds of the property tests.
///
/// Run `SSOTERM_SEEDS=1000:1100 swift test --filter Property` for other seeds, and
/// `SSOTERM_PLATFORM_LABS=10000 swift test --filter predictionCallAndWhyAgree` for more labs on all platforms.
enum PropertySeeds {
  /// The number of random labs that are spread over the platforms and the seeds.
  static let labs = ProcessInfo.processInfo.environment["SSOTERM_PLATFORM_LABS"].flatMap { Int($0) } ?? 32

  static let all: [UInt64] = {
    let bounds = ProcessInfo.processInfo.environment["SSOTERM_SEEDS"]?.split(separator: ":").compactMap {
      UInt64($0)
    }
    if let bounds, bounds.count == 2, bounds[0] < bounds[1] { return Array(bounds[0]..<bounds[1]) }
    return Array(1...8)
  }()
}
