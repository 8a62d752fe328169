/// The broker makes the device known to the person's directory (claim E2), with the first account of each tenant.
extension Broker {
  func registerDevice(_ account: BrokerAccount, _ request: BrokerRequest) throws {
    let tenantID = account.homeAccountID.split(separator: ".").last.map(String.init) ?? ""
    let answer = try context.system.send(
      HTTPRequest(
        "POST", origin: splitAuthority(request.authority).origin,
        path: "/\(tenantID)/EnrollmentServer/device",
        headers: [NameValue("client-request-id", request.correlationID)],
        form: [
          NameValue("prt", account.primaryRefreshToken), NameValue("serial", context.device.id),
          NameValue("display_name", context.device.name),
          NameValue("platform", context.device.platform.rawValue),
        ]))
    let json = JSONValue(bounded: answer.body)
    guard answer.status == 200, let thumbprint = json?["Certificate"]?["Thumbprint"]?.string,
      let subject = json?["Certificate"]?["Subject"]?.string
    else { return }
    try context.deviceKeychain.keep(
      tenantID: tenantID, username: account.username, deviceID: String(subject.dropFirst("CN=".count)),
      thumbprint: thumbprint, privateKey: context.random.bytes(32))
  }
}
