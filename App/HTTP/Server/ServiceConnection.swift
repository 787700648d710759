internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import Synchronization

/// An accepted connection that waits to be handled.
///
/// A server that stops drops connections that no task has taken yet, and a channel that is dropped without being
/// handled traps. `deinit` therefore closes the channel and handles it in a cancelled task.
final class ServiceConnection<Base: ServerChildChannel>: ServerChildChannelValue {
    private let value: Base.Value
    private let base: Base
    private let logger: Logger
    private let isTaken = Atomic(false)

    init(_ value: Base.Value, of base: Base, _ logger: Logger) {
        (self.value, self.base, self.logger) = (value, base, logger)
    }

    var channel: any Channel { value.channel }

    /// Takes the value. The caller must handle it, which closes the connection.
    func take() -> Base.Value {
        isTaken.store(true, ordering: .relaxed)
        return value
    }

    deinit {
        guard !isTaken.load(ordering: .relaxed) else { return }
        value.channel.close(promise: nil)
        // A cancelled task handles no request.
        Task { [value, base, logger] in await base.handle(value: value, logger: logger) }.cancel()
    }
}
