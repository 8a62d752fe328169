/// A method of `com.microsoft.identity.Broker1` (docs/behaviour/linux-broker.md §1).
package enum LinuxBrokerMethod: String, Codable, CaseIterable, Sendable {
  case acquireTokenInteractively, acquireTokenSilently, getAccounts, removeAccount, acquirePrtSsoCookie,
    generateSignedHttpRequest, cancelInteractiveFlow, getLinuxBrokerVersion

  /// Whether the response is a `brokerTokenResponse`.
  package var givesTokens: Bool { self == .acquireTokenInteractively || self == .acquireTokenSilently }
}

/// A method call of a program, as received from the bus.
package struct LinuxBrokerCall: Codable, Hashable, Sendable {
  /// The maximum length of a request, in UTF-8 bytes; real requests have a few kilobytes.
  package static let bodyLimit = 65_536

  package var method: LinuxBrokerMethod
  package var correlationID: String
  /// The JSON of the request.
  package var body: String
  package var caller: LinuxCaller
  /// The ssoterm process that owns the broker's name, or `nil` in a scenario and in a record of an earlier version.
  package var broker: MachineProcess?

  package init(
    _ method: LinuxBrokerMethod, correlationID: String, body: String, caller: LinuxCaller,
    broker: MachineProcess? = nil
  ) {
    self.method = method
    self.correlationID = String(correlationID.prefix(64))
    self.body = body
    self.caller = caller
    self.broker = broker
  }
}

/// The calling program, as the bus and the kernel report it.
///
/// None of this shows which client ID is the program's own.
package struct LinuxCaller: Codable, Hashable, Sendable {
  /// The unique name of the connection, such as `:1.42`.
  package var connection: String
  /// The caller's user ID, as the bus knows it.
  package var userID: Int
  package var processID: Int
  /// The target of `/proc/PID/exe`, or an empty string if it could not be read.
  package var executable: String

  package init(connection: String, userID: Int, processID: Int, executable: String) {
    self.connection = connection
    self.userID = userID
    self.processID = processID
    self.executable = executable
  }

  /// A description such as `/usr/bin/python3.11, process 4711 of user 1000`.
  package var words: String {
    (executable.isEmpty ? "an unknown program" : executable) + ", process \(processID) of user \(userID)"
  }

  /// The name of the executable, such as `python3.11`.
  package var program: String {
    executable.split(separator: "/").last.map(String.init) ?? "an unknown program"
  }

  package static let checkName = "caller"

  /// The check that iOS's broker performs here, and that Linux cannot (claims B1, B2).
  package var check: Check {
    Check(
      Self.checkName, expected: "iOS: the app whose bundle ID the system reports",
      found: "any program of this user may use any client ID: \(words)", verdict: .skipped,
      source: "claims B1, B2")
  }
}
