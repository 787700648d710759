internal import HummingbirdCore
internal import NIOCore
internal import Synchronization

/// A connection that was accepted and waits to be handled.
///
/// A server that stops drops those that nobody has taken up yet, and a channel that is dropped without an end traps.
/// So this ends them.
final class ServiceConnection: ServerChildChannelValue {
    private let value: HTTP1Channel.Value
    private let isTaken = Atomic(false)

    init(_ value: HTTP1Channel.Value) {
        self.value = value
    }

    var channel: any Channel { value.channel }

    /// What is handled, by whoever asks; its end is then that one's affair.
    func take() -> HTTP1Channel.Value {
        isTaken.store(true, ordering: .relaxed)
        return value
    }

    deinit {
        guard !isTaken.load(ordering: .relaxed) else { return }
        Task { [value] in try? await value.executeThenClose { _, _ in } }
    }
}
