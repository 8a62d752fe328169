import CNcurses

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension NcursesDriver {
  package func waitForEvents(watching descriptors: [Int32], milliseconds: Int?) -> [InputEvent]? {
    var polled = ([terminal.input, terminal.signals] + descriptors.filter { !ended.contains($0) }).map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    let waitsForEscape = decoder.hasPendingEscape
    let timeout = waitsForEscape ? min(escapeDelay, milliseconds ?? .max) : milliseconds ?? -1
    let count = poll(&polled, nfds_t(polled.count), Int32(clamping: timeout))
    if count < 0 { return errno == EINTR || errno == EAGAIN ? [] : nil }
    if count == 0 { return waitsForEscape ? decoder.flush() : [.deadline] }

    var events: [InputEvent] = []
    if polled[1].revents != 0 { events += readSignals() }
    if cn_asked_to_end() != 0 { return nil }
    if polled.dropFirst(2).contains(where: { $0.revents != 0 }) {
      for watched in polled.dropFirst(2) where watched.revents != 0 {
        if bytes(from: watched.fd).isEmpty { ended.insert(watched.fd) }
      }
      events.append(.storeChanged)
    }
    if polled[0].revents & Int16(POLLIN) != 0 {
      let typed = bytes(from: terminal.input)
      if typed.isEmpty { return nil }
      events += decoder.feed(typed).compactMap(actOnOwn)
    } else if polled[0].revents != 0 {
      return nil
    }
    return events
  }

  /// Handles the signals that have arrived, each number once, and returns the resulting events.
  private func readSignals() -> [InputEvent] {
    var tags: Set<UInt8> = []
    var batch = bytes(from: terminal.signals)
    while !batch.isEmpty {
      tags.formUnion(batch)
      batch = bytes(from: terminal.signals)
    }
    var events: [InputEvent] = []
    if tags.contains(0) { events.append(.woken) }
    if tags.contains(UInt8(SIGTSTP)) {
      suspend()
      events.append(resized)
    } else if tags.contains(UInt8(SIGCONT)) {
      // The process was stopped by a signal that cannot be caught, so the shell may have changed any terminal setting.
      cn_release()
      restore()
      events.append(resized)
    }
    if tags.contains(UInt8(SIGWINCH)), cn_resize() { events.append(resized) }
    return events
  }

  /// Handles the events that concern only the driver.
  ///
  /// ^Z is an ordinary key in raw mode, so the driver does what the terminal would have done.
  private func actOnOwn(_ event: InputEvent) -> InputEvent? {
    switch event {
    case .key(.control("z")):
      suspend()
      return resized
    case .background(let background):
      learn(background)
      return nil
    default: return event
    }
  }

  /// An event that makes the program redraw at the current size.
  private var resized: InputEvent {
    let now = size
    return .resize(width: now.width, height: now.height)
  }

  private func bytes(from descriptor: Int32) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
      count = max(0, read(descriptor, buffer.baseAddress, buffer.count))
    }
  }
}
