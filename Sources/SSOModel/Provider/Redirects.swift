import Foundation
import SSOCore

extension Provider {
  /// Back to the app with a code: `redirect_uri?client_info=…&code=…&state=…`.
  func redirect(
    _ flow: SignInFlow, _ person: Person, _ situation: AccessSituation, cookies: [NameValue]
  ) throws -> ProviderResponse {
    if let key = flow.deviceKey {
      return try settleDevice(key, flow, approvedBy: person, cookies: cookies)
    }
    let secret = "0.C" + Base64URL.encode(chance.bytes(32))
    let code = AuthorizationCode(
      clientID: flow.clientID, redirectURI: flow.redirectURI, codeChallenge: flow.codeChallenge,
      authoritySegment: flow.authoritySegment, username: person.username.lowercased(), scopes: flow.scopes,
      nonce: flow.nonce, issuedAt: now,
      authenticatedAt: flow.maxAge != nil || flow.claims?.asksAuthTime == true ? flow.authenticatedAt : nil,
      claims: flow.claims, situation: situation)
    let key = "code/" + sha256Hex(secret)
    try documents.write(code, .authorizationCode, key)
    try Sweep(documents: documents, now: now).look(after: key, in: .authorizationCode)
    var fields = [NameValue("code", secret)]
    if flow.wantsClientInfo ?? true {
      fields.append(NameValue("client_info", person.clientInfo.encoded))
    }
    if let state = flow.state { fields.append(NameValue("state", state)) }
    return answer(flow, fields, cookies: cookies)
  }

  /// Back to the app with `error`, `error_description`, `error_subcode` and `state` (RFC 6749 §4.1.2.1).
  func redirect(
    _ flow: SignInFlow, refusing error: OAuthError, _ exchange: inout Exchange
  ) throws -> ProviderResponse {
    exchange.refusal = error
    if let key = flow.deviceKey { return try settleDevice(key, flow, approvedBy: nil) }
    let body = OAuthErrorBody(error, traceID: chance.uuid(), correlationID: exchange.correlationID, now: now)
    var fields = [
      NameValue("error", error.code.rawValue), NameValue("error_description", body.description),
    ]
    if let suberror = error.suberror { fields.append(NameValue("error_subcode", suberror)) }
    if let state = flow.state { fields.append(NameValue("state", state)) }
    return answer(flow, fields, cookies: [])
  }

  private func answer(
    _ flow: SignInFlow, _ fields: [NameValue], cookies: [NameValue]
  ) -> ProviderResponse {
    if flow.responseMode == "form_post" {
      var response = HTTPResponse.page(200, cookies: cookies)
      response.body = Data(formPost(to: flow.redirectURI, fields).utf8)
      return ProviderResponse(response, setCookies: cookies)
    }
    let url =
      flow.responseMode == "fragment"
      ? flow.redirectURI + "#" + FormEncoding.encode(fields) : appending(fields, to: flow.redirectURI)
    var response = HTTPResponse.page(302, cookies: cookies)
    response.headers.append(NameValue("Location", url))
    return ProviderResponse(response, setCookies: cookies)
  }

  /// A page that posts itself to the app's listener (OAuth 2.0 Form Post Response Mode); by its button where
  /// scripts are off.
  private func formPost(to url: String, _ fields: [NameValue]) -> String {
    let inputs = fields.map {
      "<input type=\"hidden\" name=\"\(escaped($0.name))\" value=\"\(escaped($0.value))\">"
    }
    return """
      <!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Back to the app</title></head>\
      <body onload="document.forms[0].submit()"><p>You are sent back to the app. If nothing happens:</p>\
      <form method="post" action="\(escaped(url))">\(inputs.joined())<button>Continue</button></form></body></html>
      """
  }

  private func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}
