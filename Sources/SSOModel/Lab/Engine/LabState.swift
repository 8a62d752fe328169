/// What a lab is, apart from its devices and its directory.
///
/// One document, kind `lab`, key `state`.
struct LabState: Codable, Hashable {
  static let key = "state"

  /// Name of the scenario it was made from.
  var name: String
  /// The current device.
  var deviceID: String
  /// Seconds by which the clock was moved by hand; nil: real time.
  var clockOffset: Int?
}

/// The lab's generator.
///
/// A document of its own, kind `lab`, key `random`, that undo leaves alone: draws only go forward.
struct LabRandom: Codable, Equatable {
  static let key = "random"

  var source: Randomness
}
