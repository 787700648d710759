public import Hummingbird
public import HummingbirdCore
public import Logging
internal import NIOCore
public import ServiceLifecycle

/// A server that holds its clients to limits and ends in bounded time.
///
/// Sockets are read and written by the threads of NIO's shared event loops, one for each core, which never wait and run
/// nothing else. Requests are worked on by Swift's cooperative pool. Stores keep threads of their own for whatever
/// syncs or scans, so that neither a flood of bytes nor a slow disk holds up the other.
///
/// When it is told to stop it accepts no more connections, gives the ``ShutdownSignal``, and answers what it has begun.
/// After ``ServerLimits/drainTimeout`` it cancels what is left, and half a second later it returns whatever happens.
public struct HTTPService<Responder: HTTPResponder>: Service
where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
    private let responder: Responder
    private let settings: ServerSettings
    private let server: HTTPServerBuilder
    private let signal: ShutdownSignal
    private let deadlines: RequestDeadlines
    private let logger: Logger
    private let onRunning: @Sendable (Int?) async throws -> Void

    /// Describes a server.
    ///
    /// - Parameters:
    ///   - settings: Where it listens, and its limits.
    ///   - server: Serves connections; a ``GuardedServer`` makes one that keeps the limits.
    ///   - signal: Given when the server is told to stop.
    ///   - deadlines: Those of the responder's ``TimeoutMiddleware``.
    ///   - onRunning: Hears the port that the server listens on, before the first request is answered; what it throws
    ///     ends the server.
    public init(
        _ responder: Responder, _ settings: ServerSettings, server: HTTPServerBuilder, signal: ShutdownSignal,
        deadlines: RequestDeadlines, logger: Logger,
        onRunning: @escaping @Sendable (Int?) async throws -> Void = { _ in }
    ) {
        (self.responder, self.settings, self.server) = (responder, settings, server)
        (self.signal, self.deadlines, self.logger, self.onRunning) = (signal, deadlines, logger, onRunning)
    }

    /// Serves until it is told to stop, or its task is cancelled.
    ///
    /// - Throws: What the system says where it cannot listen.
    public func run() async throws {
        let (outcomes, outcome) = AsyncStream.makeStream(of: Result<Void, any Error>.self)
        let application = application { outcome.yield(.failure($0)) }
        // Not a child: a request that heeds no cancellation must not keep the process from ending.
        let server = Task {
            do {
                outcome.yield(.success(try await application.run()))
            } catch {
                outcome.yield(.failure(error))
            }
        }
        let limits = settings.limits
        let guardian = Task {
            await signal.wait()
            guard !Task.isCancelled, (try? await Task.sleep(for: limits.drainTimeout)) != nil else { return }
            deadlines.cancelAll()
            guard (try? await Task.sleep(for: .milliseconds(500))) != nil else { return }
            logger.warning("the server stopped with requests unanswered")
            outcome.yield(.success(()))
        }
        let watch = Task { await deadlines.watch(every: limits.tick) }
        defer {
            guardian.cancel()
            watch.cancel()
            server.cancel()
        }
        try await withTaskCancellationHandler {
            try await withGracefulShutdownHandler {
                for await result in outcomes { return try result.get() }
            } onGracefulShutdown: {
                signal.give()
            }
        } onCancel: {
            server.cancel()
        }
    }

    private func application(onFailure: @escaping @Sendable (any Error) -> Void) -> Application<Responder> {
        Application(
            responder: responder, server: server,
            configuration: ApplicationConfiguration(address: .hostname(settings.host, port: settings.port)),
            onServerRunning: { channel in
                do {
                    try await onRunning(channel.localAddress?.port)
                } catch {
                    onFailure(error)
                }
            },
            logger: logger)
    }
}
