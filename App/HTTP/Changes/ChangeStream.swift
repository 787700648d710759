internal import Hummingbird
internal import NIOCore
private import ServiceLifecycle

/// Writes the events of a subscription to one client. It ends when the subscription or the connection ends.
struct ChangeStream: Sendable {
    let subscription: ChangeSubscription
    let loop: (any EventLoop)?
    let isAllowed: @Sendable () async -> Bool
    /// The delay before a client reconnects, in milliseconds.
    static let retry = 3000

    func write(to writer: any ResponseBodyWriter, watching body: RequestBody?) async throws {
        let (stopped, stop) = AsyncStream<Never>.makeStream()
        subscription.onDrop { stop.finish() }
        // A writer is not `Sendable`. One task at a time uses this one: after it is passed to the child task of `race`,
        // it is not used here until `race` returns, when the child has ended.
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

    /// Runs the operation in a child task, which is cancelled when the stream is stopped: a write waits until the
    /// client reads, and only cancellation ends it.
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
        while let (text, isHeartbeat) = await subscription.nextText() {
            if isHeartbeat, await !isAllowed() { break }
            try await writer.write(text)
            // The loop runs tasks in order, so this one runs after the write.
            try await loop?.submit {}.get()
        }
        // Without the end of the body, so that the connection is closed at once: the client has disconnected.
        try Task.checkCancellation()
        try await writer.finish(nil)
    }
}
