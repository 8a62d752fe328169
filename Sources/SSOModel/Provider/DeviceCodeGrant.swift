import SSOCore

extension Provider {
  /// `grant_type=urn:ietf:params:oauth:grant-type:device_code` (RFC 8628 §3.4): one poll. MSAL sends the code
  /// twice, as `device_code` and as `code`.
  func redeemDeviceCode(_ request: TokenRequest, _ exchange: inout Exchange) throws -> TokenResponse {
    let form = request.http.form
    let key = DeviceAuthorizations.key(deviceCode: form["device_code"] ?? form["code"] ?? "")
    let found = try deviceAuthorizations.authorization(key: key)
    let poll = DevicePoll(authorization: found, client: request.client, now: now)
    if var noted = found, noted.state == .pending {
      if poll.isTooFast { noted.interval += 5 }
      noted.polledAt = now
      try deviceAuthorizations.save(noted, key: key)
    }
    try exchange.checks.require(DevicePoll.rules, of: poll)
    guard var authorization = found, let username = authorization.username else {
      throw OAuthError(.badVerificationCode, "Unknown code.", aadsts: 70018)
    }
    var request = request
    request.tenant = try AuthorityTenant(authorization.authoritySegment, in: directory)
    request.grantID = sha256Hex(key)
    request.authenticatedAt = authorization.authenticatedAt
    let tokens = try issue(
      request, username: username, scopes: authorization.scopes, deviceID: nil, &exchange)
    authorization.state = .redeemed
    try deviceAuthorizations.save(authorization, key: key)
    return tokens.response
  }
}

/// A poll as it came: what the rules of the device code grant look at.
struct DevicePoll {
  var authorization: DeviceAuthorization?
  var client: ClientRegistration
  var now: Instant

  static var rules: [(DevicePoll) -> Finding] {
    [
      checkDeviceCodeIsKnown, checkDeviceCodeClient, checkDeviceCodeIsUnused, checkDeviceCodeIsNotDeclined,
      checkDeviceCodeIsYoung, checkPollIsNotTooFast, checkDeviceCodeIsApproved,
    ]
  }

  /// Sooner than the interval after the last poll. A second early is let pass: clients count from the answer.
  var isTooFast: Bool {
    // A clock that was put back makes nobody quick.
    guard let authorization, let last = authorization.polledAt, last <= now else { return false }
    return now.milliseconds - last.milliseconds < Int64(authorization.interval - 1) * 1000
  }
}

private func checkDeviceCodeIsKnown(_ poll: DevicePoll) -> Finding {
  Finding(
    "device code known", expected: "a device code that was issued",
    found: poll.authorization == nil ? "unknown" : "known", poll.authorization != nil,
    source: "RFC 8628 §3.5",
    else: OAuthError(
      .badVerificationCode, "The provided value for the input parameter 'device_code' is not valid.",
      aadsts: 70018))
}

private func checkDeviceCodeClient(_ poll: DevicePoll) -> Finding {
  let issuedTo = poll.authorization?.clientID ?? ""
  return Finding(
    "device code issued to client", expected: issuedTo, found: poll.client.clientID,
    issuedTo.lowercased() == poll.client.clientID.lowercased(), source: "RFC 8628 §3.4",
    else: OAuthError(.invalidGrant, "The device code was issued to another application.", aadsts: 70000))
}

private func checkDeviceCodeIsUnused(_ poll: DevicePoll) -> Finding {
  let isUsed = poll.authorization?.state == .redeemed
  return Finding(
    "device code not used", expected: "first redemption", found: isUsed ? "used before" : "first", !isUsed,
    source: "RFC 8628 §3.5",
    else: OAuthError(.invalidGrant, "The device code was already redeemed. Ask for a new one.", aadsts: 54005)
  )
}

private func checkDeviceCodeIsNotDeclined(_ poll: DevicePoll) -> Finding {
  let isDeclined = poll.authorization?.state == .declined
  return Finding(
    "device code not declined", expected: "not declined", found: isDeclined ? "declined" : "not declined",
    !isDeclined, source: "RFC 8628 §3.5",
    else: OAuthError(
      .authorizationDeclined, "The end user has declined the authorization request.", aadsts: 65004))
}

private func checkDeviceCodeIsYoung(_ poll: DevicePoll) -> Finding {
  let age = poll.authorization.map { $0.issuedAt.seconds(until: poll.now) } ?? 0
  return Finding(
    "device code not expired", expected: "younger than \(DeviceAuthorization.lifetime) s", found: "\(age) s",
    poll.authorization.map { !$0.isOver(at: poll.now) } ?? false, source: "RFC 8628 §3.5",
    else: OAuthError(
      .expiredToken,
      "The provided value for the input parameter 'device_code' is not valid. This device code has expired.",
      aadsts: 70020))
}

private func checkPollIsNotTooFast(_ poll: DevicePoll) -> Finding {
  let isTooFast = poll.authorization?.state == .pending && poll.isTooFast
  return Finding(
    "poll interval", expected: "\(poll.authorization?.interval ?? 5) s between polls",
    found: isTooFast ? "sooner" : "kept", !isTooFast, source: "RFC 8628 §3.5",
    else: OAuthError(
      .slowDown, "The client polls too often: wait 5 seconds longer between polls from now on.", aadsts: 70016
    ))
}

private func checkDeviceCodeIsApproved(_ poll: DevicePoll) -> Finding {
  let state = poll.authorization?.state ?? .pending
  return Finding(
    "device code approved", expected: "approved", found: state.rawValue, state == .approved,
    source: "RFC 8628 §3.5",
    else: OAuthError(
      .authorizationPending, "OAuth 2.0 device flow error. Authorization is pending. Continue polling.",
      aadsts: 70016))
}
