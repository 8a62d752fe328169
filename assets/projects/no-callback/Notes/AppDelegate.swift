import MSAL
import UIKit

@main
class AppDelegate: UIResponder, UIApplicationDelegate {
  func application(
    _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]
  ) -> Bool {
    MSALPublicClientApplication.handleMSALResponse(
      url, sourceApplication: options[.sourceApplication] as? String)
  }
}
