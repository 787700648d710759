public import Hummingbird
public import HummingbirdCore
public import Logging
internal import NIOCore
public import ServiceLifecycle

/// A server that enforces limits on its clients and stops in bounded time.
///
/// The threads of NIO's shared event loops, one per core, read and write the sockets; they never block and do nothing
/// else. Swift's cooperative pool handles connections and health checks, and ``RequestThreads`` the other requests.
/// Stores have separate threads for syncs and scans, so that a slow disk does not delay network input, and a flood of
/// bytes does not delay the disk.
///
/// When the server is told to stop, it accepts no more connections, gives the ``ShutdownSignal``, and finishes the
/// requests in progress. After ``ServerLimits/drainTimeout`` it cancels the remaining requests, and half a second later
/// it returns in any case.
public struct HTTPService<Responder: HTTPResponder>: Service
where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
    private let responder: Responder
    private let settings: ServerSettings
    private let server: HTTPServerBuilder
    private let signal: ShutdownSignal
    private let deadlines: RequestDeadlines
    private let logger: Logger
    private let onRunning: @Sendable (Int?) async throws -> Void

    /// Makes a server.
    ///
    /// - Parameters:
    ///   - responder: Answers the requests.
    ///   - settings: The address and the limits.
    ///   - server: Serves connections; a ``GuardedServer`` makes a builder that enforces the limits.
    ///   - signal: Given when the server is told to stop.
    ///   - deadlines: The deadlines of the responder's ``TimeoutMiddleware``.
    ///   - logger: Receives what the server reports.
    ///   - onRunning: Receives the port before the first request is handled. An error stops the server.
    public init(
        _ responder: Responder, _ settings: ServerSettings, server: HTTPServerBuilder, signal: ShutdownSignal,
        deadlines: RequestDeadlines, logger: Logger,
        onRunning: @escaping @Sendable (Int?) async throws -> Void = { _ in }
    ) {
        (self.responder, self.settings, self.server) = (responder, settings, server)
        (self.signal, self.deadlines, self.logger, self.onRunning) = (signal, deadlines, logger, onRunning)
    }

    /// Serves until the server is told to stop, or its task is cancelled.
    ///
    /// - Throws: The error of the system if the server cannot listen.
    public func run() async throws {
        let (outcomes, outcome) = AsyncStream.makeStream(of: Result<Void, any Error>.self)
        let application = application { outcome.yield(.failure($0)) }
        // Not a child task: a request that ignores cancellation must not prevent the process from ending.
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
            logger.warning("the server stopped before all requests had a response")
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
            configuration: ApplicationConfiguration(
                address: .hostname(settings.host, port: settings.port),
                availableConnectionsDelegate: MaximumAvailableConnections(
                    settings.limits.connections + settings.limits.reservedConnections)),
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
