#if Postgres
import LarderDomain
import Testing

/// Expected failures.
enum Failure {
    /// The reason why a body cannot be run; an issue if there is none.
    static func unavailable(_ body: () async throws -> Void) async -> Unavailable? {
        let error = await #expect(throws: PersistencyError.self) { try await body() }
        if case .unavailable(let trouble)? = error { return trouble }
        Issue.record("\(error as Any)")
        return nil
    }
}

extension TestServer {
    /// Starts a server with additional settings.
    static func start(_ settings: String = "") async throws -> TestServer {
        try await Task.detached { try TestServer(settings) }.value
    }
}
#endif
