import Essentials
import Synchronization

/// Runs the broker of Linux programs beside the screens.
///
/// What happens there comes back as messages, on any thread.
final class BusController: Sendable {
  private let lab: Lab
  private let post: @Sendable (Message) -> Void

  init(lab: Lab, post: @escaping @Sendable (Message) -> Void) {
    self.lab = lab
    self.post = post
  }

  /// It serves until the program ends: its bus belongs to the command.
  func start(_ settings: BusSettings) {
    var events = BrokerEvents()
    events.ready = { [post] in post(.bus(.on)) }
    events.served = { [post] line in post(.bus(.served(line.text))) }
    events.waits = { [post] in post(.bus(.waits)) }
    events.callers = { [post] count in post(.bus(.callers(count))) }
    let broker = BusBroker(lab, address: settings.address, approval: settings.approval, events: events)
    detachThread { [post] in
      var problem: Problem?
      do { try broker.run() } catch { problem = Problem(error) }
      post(.bus(.off(problem)))
    }
  }
}
