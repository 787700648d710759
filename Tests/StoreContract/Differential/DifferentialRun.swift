private import LarderData
private import LarderDomain

/// Sends random queries over awkward rows to stores and to an oracle in plain Swift, which shares no code with the kit.
/// All must find the same objects in the same order, page by page, with the same totals and counts.
///
/// ```swift
/// let report = try await DifferentialRun(queries: 1000).judge([fixture])
/// #expect(report.complaints.isEmpty)
/// ```
public struct DifferentialRun: Sendable {
    /// The number of queries for each store.
    public let queries: Int
    /// The seed that repeats the run.
    public let seed: UInt64
    /// The number of rows; they are replaced now and then.
    private let rows = 40
    private let queriesPerRound = 250
    private let complaintsAtMost: Int

    /// Describes a run without starting it.
    ///
    /// - Parameters:
    ///   - queries: The number of queries.
    ///   - seed: The seed of the queries.
    ///   - complaintsAtMost: The number of complaints after which the run ends early.
    public init(queries: Int, seed: UInt64 = RunSize.seed, complaintsAtMost: Int = 5) {
        self.queries = queries
        self.complaintsAtMost = complaintsAtMost
        self.seed = seed
    }

    /// Sends the same queries to all stores.
    ///
    /// Throws only if a store cannot be opened or filled. An error in reply to a query is a complaint.
    public func judge(_ fixtures: [StoreFixture]) async throws -> DifferentialReport {
        var (maker, report) = (InquiryMaker(seed: seed), DifferentialReport(seed: seed))
        let run = String(UInt64.random(in: .min ... .max), radix: 36)
        let start = ContinuousClock.now
        while report.queries < queries && report.complaints.count < complaintsAtMost {
            let round = try DifferentialRound(rows: maker.rows(rows))
            let scratch = "differential-\(run)-\(report.queries)"
            var stores: [AskedStore] = []
            for fixture in fixtures {
                let store = try await fixture.open(Library.schemas(), scratch)
                stores.append(try await round.fill(fixture.name, store))
            }
            for _ in 0..<min(queriesPerRound, queries - report.queries)
            where report.complaints.count < complaintsAtMost {
                let inquiry = maker.next(rows: rows)
                try await round.ask(inquiry, stores, into: &report)
            }
            for (fixture, asked) in zip(fixtures, stores) {
                await asked.store.close()
                await fixture.discard(scratch)
            }
        }
        report.duration = ContinuousClock.now - start
        return report
    }
}

extension Trial {
    /// Fails the law unless the store's answers to the given number of random queries equal the oracle's.
    func askDifferently(_ queries: Int) async throws {
        var (maker, report) = (InquiryMaker(seed: 19), DifferentialReport(seed: 19))
        let round = try DifferentialRound(rows: maker.rows(40))
        let asked = try await round.fill("it", store)
        for _ in 0..<queries where report.complaints.isEmpty {
            try await round.ask(maker.next(rows: 40), [asked], into: &report)
        }
        if let complaint = report.complaints.first { throw LawBroken(complaint) }
    }
}

/// The result of a differential run.
public struct DifferentialReport: Sendable {
    /// The seed that repeats the run.
    public let seed: UInt64
    /// The number of queries for each store.
    public internal(set) var queries = 0
    /// The number of queries sent as predicates of a manager; the others are conditions of a store.
    public internal(set) var predicates = 0
    /// The number of queries that some store refused as `unsupportedQuery`.
    public internal(set) var unsupported = 0
    /// The differences between a store and the oracle, each with the query.
    public internal(set) var complaints: [String] = []
    /// The duration of the run.
    public internal(set) var duration = Duration.zero
    var coverage = Coverage()

    /// A table with the count of each operator on each type of column, with and without nil.
    public var matrix: String { coverage.description }
    /// The smallest count in the table.
    public var matrixMinimum: Int { coverage.minimum }
}
