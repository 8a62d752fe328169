import Essentials
import Synchronization

/// A controller that runs the broker for Linux programs alongside the screens.
///
/// It posts events as messages, from any thread.
final class BusController: Sendable {
  private let lab: Lab
  private let post: @Sendable (Message) -> Void

  init(lab: Lab, post: @escaping @Sendable (Message) -> Void) {
    self.lab = lab
    self.post = post
  }

  /// Starts the broker, which serves until the program ends, because its bus belongs to the command.
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
