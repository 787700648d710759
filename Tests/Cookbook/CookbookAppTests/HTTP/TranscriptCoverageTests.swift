import Testing

/// Every status that the description lists is met in a transcript, and no other.
struct TranscriptCoverageTests {
    /// What `default` stands for in the description: what can meet any request.
    private static let anywhere: Set<Int> = [401, 405, 408, 413, 414, 431, 500, 503]

    @Test func `the transcripts meet each status of each route that the description lists, and no other`() async throws
    {
        let description = try APIDescription()
        let routes = Set(try await HTTPHarness().routes)
        let operations = description.operations.filter { routes.contains("\($0)") }
        var met: Set<String> = []
        for exchange in try HTTPTranscript.names.flatMap({ try HTTPTranscript(named: $0).exchanges }) {
            guard let operation = description.operation(exchange.method, exchange.path) else { continue }
            let status = try #require(exchange.status, "\(exchange.request[0]) has no answer")
            met.insert("\(operation) \(status)")
            #expect(
                description.statuses(of: operation).contains(status) || Self.anywhere.contains(status),
                "\(operation) is answered \(status), which is not described")
        }
        let listed = operations.flatMap { operation in
            description.statuses(of: operation).map { "\(operation) \($0)" }
        }
        let missing = listed.filter { !met.contains($0) }
        #expect(listed.count > 250)
        #expect(missing.isEmpty, "not met: \(missing.joined(separator: ", "))")
        let count = listed.count - missing.count
        print("proof: http transcript: \(count) of \(listed.count) route and status pairs on memory, sqlite and file")
    }
}
