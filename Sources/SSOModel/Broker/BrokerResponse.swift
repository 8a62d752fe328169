import Foundation

/// The broker's answer: `<redirect URI>?response=<base64url(AES)>&hash=<hex>&msg_protocol_ver=3` (fact sheet §5.7).
enum BrokerResponse {
  static func url(redirectURI: String, fields: [SentField], key: [UInt8]) throws -> String {
    let plaintext = Data(FormEncoding.encode(fields).utf8)
    let ciphertext = try BrokerCrypto.encrypt(plaintext, key: key)
    let query = [
      SentField("response", Base64URL.encode([UInt8](ciphertext))),
      SentField("hash", BrokerCrypto.hash(plaintext)),
      SentField("msg_protocol_ver", "3"),
    ]
    return redirectURI + "?" + FormEncoding.encode(query)
  }

  /// The fields of a failure (§5.8).
  static func failure(code: Int, _ description: String, request: BrokerRequest, brokerVersion: String)
    -> [SentField]
  {
    [
      SentField("success", "0"), SentField("broker_error_domain", "MSALErrorDomain"),
      SentField("broker_error_code", String(code)), SentField("error_description", description),
      SentField("correlation_id", request.correlationID), SentField("broker_nonce", request.nonce),
      SentField("x-broker-app-ver", brokerVersion),
    ]
  }
}
