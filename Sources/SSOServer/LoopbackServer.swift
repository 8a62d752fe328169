import Hummingbird
import HummingbirdTLS
import Logging
import NIOSSL
import SSOModel
import X509

/// The provider on a loopback socket with TLS, for clients that are not simulated.
package struct LoopbackServer: Sendable {
  /// The loopback names that a server certificate of the lab covers.
  package static let names = ["localhost", "127.0.0.1", "::1"]
}
