import Dispatch
import Synchronization

/// Runs asynchronous work to its end, because commands are synchronous and the server is not.
/// - Throws: The error that `work` throws.
package func waiting<Result: Sendable>(_ work: @escaping @Sendable () async throws -> Result) throws -> Result
{
  let ended = DispatchSemaphore(value: 0)
  let kept = Kept<Result>()
  Task.detached {
    do {
      let result = try await work()
      kept.value.withLock { $0 = .success(result) }
    } catch {
      kept.value.withLock { $0 = .failure(error) }
    }
    ended.signal()
  }
  ended.wait()
  guard let result = kept.value.withLock({ $0 }) else { throw CancellationError() }
  return try result.get()
}

private final class Kept<Value: Sendable>: Sendable {
  let value = Mutex<Result<Value, any Error>?>(nil)
}
