package import SSOModel

/// How a server is to run.
package struct ServeOptions: Sendable {
  package var port: Int
  package var addresses: [LoopbackAddress]
  package var approval: Approval

  package init(port: Int, addresses: [LoopbackAddress] = LoopbackAddress.allCases, approval: Approval) {
    self.port = port
    self.addresses = addresses
    self.approval = approval
  }
}

/// One request and how it was answered, for whoever watches; no secret is in it.
package struct ServedLine: Sendable {
  package var method: String
  package var path: String
  package var client: String
  package var result: String
}
