private import LarderData
private import LarderDomain

/// Asks stores random questions over awkward rows, and an oracle in plain Swift beside them, which shares nothing with
/// the kit: they must find the same objects in the same order, page by page, with the same totals and counts.
///
/// ```swift
/// let report = try await DifferentialRun(queries: 1000).judge([fixture])
/// #expect(report.complaints.isEmpty)
/// ```
public struct DifferentialRun: Sendable {
    /// How many queries each store is asked.
    public let queries: Int
    /// What makes the run the same again.
    public let seed: UInt64
    /// How many rows are asked; they are replaced now and then.
    private let rows = 40
    private let queriesPerRound = 250
    private let complaintsAtMost: Int

    /// Describes a run; nothing runs yet.
    ///
    /// - Parameter complaintsAtMost: After how many complaints it ends early.
    public init(queries: Int, seed: UInt64 = RunSize.seed, complaintsAtMost: Int = 5) {
        self.queries = queries
        self.complaintsAtMost = complaintsAtMost
        self.seed = seed
    }

    /// Asks all stores the same questions.
    ///
    /// Throws only where a store cannot be opened or filled; an error that answers a query is a complaint.
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
    /// Breaks the law unless the store answers so many random queries as the oracle does.
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

/// What a differential run found.
public struct DifferentialReport: Sendable {
    /// What makes the run the same again.
    public let seed: UInt64
    /// How many queries were asked of each store.
    public internal(set) var queries = 0
    /// How many of them as predicates of a manager; the others as conditions of a store.
    public internal(set) var predicates = 0
    /// How many of them some store refused as `unsupportedQuery`.
    public internal(set) var unsupported = 0
    /// Where a store and the oracle disagree, with the query.
    public internal(set) var complaints: [String] = []
    /// How long it took.
    public internal(set) var duration = Duration.zero
    var coverage = Coverage()

    /// How often each operator was asked on each type of column with and without nil, as a table.
    public var matrix: String { coverage.description }
    /// The smallest number in the matrix.
    public var matrixMinimum: Int { coverage.minimum }
}
