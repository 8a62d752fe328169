import MSAL

enum Constants {
  static let clientID = "6f1c9b52-3d84-4e0a-b7a6-2c58d0e94f31"
  static let authority = "https://login.microsoftonline.com/common"
}

func makeApplication() throws -> MSALPublicClientApplication {
  guard let url = URL(string: Constants.authority) else { throw URLError(.badURL) }
  let config = MSALPublicClientApplicationConfig(
    clientId: Constants.clientID, redirectUri: "msauth.com.contoso.notes://auth",
    authority: try MSALAADAuthority(url: url))
  return try MSALPublicClientApplication(configuration: config)
}
