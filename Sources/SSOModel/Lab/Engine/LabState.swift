/// The state of a lab, apart from its devices and its directory.
///
/// It is one document with the kind `lab` and the key `state`.
struct LabState: Codable, Hashable {
  static let key = "state"

  /// The name of the scenario that the lab was created from.
  var name: String
  /// The current device.
  var deviceID: String
  /// The clock offset in seconds, or `nil` for real time.
  var clockOffset: Int?
}

/// The lab's random number generator.
///
/// It is a separate document with the kind `lab` and the key `random`. Undo does not affect it, because it
/// only moves forward.
struct LabRandom: Codable, Equatable {
  static let key = "random"

  var source: Randomness
}
