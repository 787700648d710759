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

    /// Expects an error with a reason, whose message contains some texts, and none of its forms others.
    static func expect(
        _ trouble: Unavailable?, _ reason: Unavailable.Reason, _ texts: [String], hides secrets: [String] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        guard let trouble else { return }
        #expect(trouble.reason == reason, "\(trouble)", sourceLocation: sourceLocation)
        for text in texts {
            #expect(trouble.message.contains(text), "no '\(text)': \(trouble)", sourceLocation: sourceLocation)
        }
        var dumped = ""
        dump(trouble, to: &dumped)
        for secret in secrets {
            let isHidden = !"\(trouble) \(PersistencyError.unavailable(trouble)) \(dumped)".contains(secret)
            #expect(isHidden, sourceLocation: sourceLocation)
        }
    }
}

extension TestServer {
    /// Starts a server with additional settings.
    static func start(_ settings: String = "") async throws -> TestServer {
        try await Task.detached { try TestServer(settings) }.value
    }
}
#endif
