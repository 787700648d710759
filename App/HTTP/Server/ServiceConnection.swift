internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import Synchronization

/// A connection that was accepted and waits to be handled.
///
/// A server that stops drops those that nobody has taken up yet, and a channel that is dropped without an end traps.
/// So this ends them.
final class ServiceConnection<Base: ServerChildChannel>: ServerChildChannelValue {
    private let value: Base.Value
    private let base: Base
    private let logger: Logger
    private let isTaken = Atomic(false)

    init(_ value: Base.Value, of base: Base, _ logger: Logger) {
        (self.value, self.base, self.logger) = (value, base, logger)
    }

    var channel: any Channel { value.channel }

    /// The value to handle. The caller ends the connection.
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
