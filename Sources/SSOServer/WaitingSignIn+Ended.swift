extension [WaitingSignIn] {
  /// Returns the sign-ins in a new order, with those last whose program or server has ended, marked as such.
  ///
  /// Only their own machine can tell. A program waits for its answer on its own port, but a program in a container may
  /// listen where this process cannot see it. A mark is therefore only a hint, and every sign-in can still be answered.
  package func markedIfEnded() -> [WaitingSignIn] {
    let marked = map { waiting in
      var marked = waiting
      marked.ended = waiting.endedPort ?? waiting.ended
      return marked
    }
    let (waiting, ended) = (marked.filter { $0.ended == nil }, marked.filter { $0.ended != nil })
    return waiting + ended
  }

  /// The number of sign-ins whose program or page still waits for the answer.
  package var countOfOpen: Int { markedIfEnded().count { $0.ended == nil } }
}

extension LabStatus {
  /// Returns ``Lab/status()`` without the sign-ins whose program or server has ended.
  /// - Throws: `StoreError` if the store cannot be read.
  package static func ofThisMachine(_ lab: Lab) throws -> LabStatus {
    var status = try lab.status()
    if status.waitingCount > 0 {
      status.waitingCount = try lab.read { try $0.provider.waitingSignIns() }.countOfOpen
    }
    return status
  }
}

extension WaitingSignIn {
  fileprivate var endedPort: String? {
    guard machine == .own else { return nil }
    if let programPort, FreePort.isTaken(programPort) == false {
      return "its program has ended: nothing listens on port \(programPort)"
    }
    if let serverPort, FreePort.isTaken(serverPort) == false {
      return "its server has ended: nothing listens on port \(serverPort)"
    }
    return nil
  }
}
