import MSAL
import UIKit

class SceneDelegate: UIResponder, UIWindowSceneDelegate {
  func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
    guard let context = contexts.first else { return }
    MSALPublicClientApplication.handleMSALResponse(
      context.url, sourceApplication: context.options.sourceApplication)
  }
}
