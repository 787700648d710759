import HTTPTypes
import LarderHTTP
import Synchronization

@testable import LarderOpenID

/// An authenticator with clocks that only a test advances, and its log.
struct Doorkeeper: Sendable {
    let authenticator: OpenIDAuthenticator<Reader>
    let clock = StoppedClock()
    let log = LogRecorder()
    private let uptime = StoppedUptime()

    /// - Parameter change: A change of the configuration. A fetch on a busy machine must not reach the limit of time.
    init(_ issuer: String, _ change: (inout OpenIDConfiguration) -> Void = { _ in }) throws {
        var configuration = try OpenIDConfiguration(issuer: issuer, audiences: ["loans", "books"], permitsHTTP: true)
        configuration.timeLimit = .seconds(600)
        change(&configuration)
        authenticator = OpenIDAuthenticator(configuration, now: clock.read, uptime: uptime.read) { claims in
            guard claims.subject != "eve" else { return nil }
            let isLibrarian = claims.texts("realm_access", "roles").contains("librarian")
            return Reader(key: claims.key, operatorPermissions: isLibrarian ? [.readMetrics] : [])
        }
    }

    func caller(_ token: String) async throws -> Reader? {
        try await authenticator.caller(with: token, logger: log.logger())
    }

    /// Whether the token's validity is unknown, with the seconds after which to ask again.
    func retryAfter(_ token: String) async throws -> String? {
        do {
            _ = try await caller(token)
            return nil
        } catch let problem as Problem where problem.kind == .authenticationUnavailable {
            return problem.headers[.retryAfter]
        }
    }

    /// The reasons in the log.
    func reasons() throws -> [String] { try log.objects().compactMap(\.reason) }

    /// Lets the keys become older; the time of tokens stays.
    func wait(seconds: Int64) { uptime.advance(seconds: seconds) }
}

private final class StoppedUptime: Sendable {
    private let instant = Mutex(ContinuousClock.now)

    var read: @Sendable () -> ContinuousClock.Instant { { self.instant.withLock { $0 } } }

    func advance(seconds: Int64) { instant.withLock { $0 += .seconds(seconds) } }
}
