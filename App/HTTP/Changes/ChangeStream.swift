internal import Hummingbird
internal import NIOCore
private import ServiceLifecycle

/// Writes what a subscription tells to one client, and ends when either side does.
struct ChangeStream: Sendable {
    let subscription: ChangeSubscription
    let loop: (any EventLoop)?
    let names: [String: String]
    let isAllowed: @Sendable () async -> Bool
    /// How long a client waits before it connects again, in milliseconds.
    static let retry = 3000

    func write(to writer: any ResponseBodyWriter, watching body: RequestBody?) async throws {
        let (stopped, stop) = AsyncStream<Never>.makeStream()
        subscription.onDrop { stop.finish() }
        // A writer is no `Sendable`. This one is used by one task at a time: nobody here touches it after handing it to
        // the child of `race`, which has ended when `race` returns.
        nonisolated(unsafe) let writer = writer
        try await withGracefulShutdownHandler {
            guard let body else {
                return try await race(until: stopped, stop) { try await send(to: unsafe writer) }
            }
            try await body.consumeWithInboundCloseHandler { _ in
                try await race(until: stopped, stop) { try await send(to: unsafe writer) }
            } onInboundClosed: {
                stop.finish()
            }
        } onGracefulShutdown: {
            subscription.end()
        }
    }

    /// Runs the operation in a child, cancelled when it is stopped from outside: a write waits as long as the client
    /// takes nothing, and only cancellation ends that.
    private func race(
        until stopped: AsyncStream<Never>, _ stop: AsyncStream<Never>.Continuation,
        _ operation: @escaping @Sendable () async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { stop.finish() }
                try await operation()
            }
            for await _ in stopped {}
            group.cancelAll()
            try await group.waitForAll()
        }
    }

    @concurrent private func send(to writer: any ResponseBodyWriter) async throws {
        var writer = writer
        try await writer.write(ByteBuffer(string: ServerSentEvent.hello(subscription.start, retry: Self.retry).encoded))
        while let event = await subscription.next() {
            if case .heartbeat = event, await !isAllowed() { break }
            try await writer.write(ByteBuffer(string: ServerSentEvent(event, names: names).encoded))
            // A write is a task of the loop, which runs them in their order: this one comes after it.
            try await loop?.submit {}.get()
        }
        // Unfinished, so that the connection is closed at once: nobody is there to read the rest.
        try Task.checkCancellation()
        try await writer.finish(nil)
    }
}
