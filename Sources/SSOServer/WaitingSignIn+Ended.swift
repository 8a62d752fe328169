extension [WaitingSignIn] {
  /// With those marked whose program or server has ended, which only their own machine can say; they come last.
  ///
  /// A program waits for its answer on its own port. One in a container may listen where this process cannot see it: a
  /// mark is a hint, and each can be answered all the same.
  package func markedIfEnded() -> [WaitingSignIn] {
    let marked = map { waiting in
      var marked = waiting
      marked.ended = waiting.endedPort ?? waiting.ended
      return marked
    }
    let (waiting, ended) = (marked.filter { $0.ended == nil }, marked.filter { $0.ended != nil })
    return waiting + ended
  }

  /// How many wait for an answer that a program or page still awaits.
  package var countOfOpen: Int { markedIfEnded().count { $0.ended == nil } }
}

extension LabStatus {
  /// ``Lab/status()`` without the sign-ins whose program or server has ended.
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
