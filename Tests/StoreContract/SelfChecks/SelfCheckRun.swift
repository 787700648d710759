private import LarderData
private import LarderDomain

/// Sends random queries over awkward rows to stores, and checks the answers of each store with each other: a condition and
/// its negation partition the rows, a total counts the list, a page is its part of the list, and figures are those of the
/// list. No other implementation of queries is needed, so that inside transactions, too, any changes may be pending.
///
/// It finds contradictions. A wrong meaning of a condition without one needs a ``DifferentialRun``.
///
/// ```swift
/// let report = try await SelfCheckRun(queries: 1000).judge([fixture])
/// #expect(report.complaints.isEmpty)
/// ```
public struct SelfCheckRun: Sendable {
    /// The number of queries for each store; each is the subject of several checks.
    public let queries: Int
    /// The seed that repeats the run.
    public let seed: UInt64
    private let complaintsAtMost: Int
    private let rows = 40
    private let queriesPerRound = 250

    /// Describes a run without starting it.
    ///
    /// - Parameters:
    ///   - queries: The number of queries.
    ///   - seed: The seed of the queries.
    ///   - complaintsAtMost: The number of complaints after which the run ends early.
    public init(queries: Int, seed: UInt64 = RunSize.seed, complaintsAtMost: Int = 5) {
        (self.queries, self.seed, self.complaintsAtMost) = (queries, seed, complaintsAtMost)
    }

    /// Sends the same queries to all stores. Throws only if a store cannot be opened, filled or changed.
    public func judge(_ fixtures: [StoreFixture]) async throws -> SelfCheckReport {
        var (maker, report) = (InquiryMaker(seed: seed), SelfCheckReport(seed: seed))
        let run = String(UInt64.random(in: .min ... .max), radix: 36)
        let start = ContinuousClock.now
        while report.queries < queries && report.complaints.count < complaintsAtMost {
            let (first, pending) = (maker.rows(rows), maker.rows(rows))
            let inquiries = (0..<min(queriesPerRound, queries - report.queries)).map { _ in maker.next(rows: rows) }
            for fixture in fixtures {
                let scratch = "self-checks-\(run)-\(report.queries)"
                let trial = try await Trial.begin(fixture, scratch: scratch)
                var round = SelfCheckRound(trial, report, complaintsAtMost)
                try await round.ask(inquiries, first.map { try $0.specimen() }, pending.map { try $0.specimen() })
                report = round.report
                await trial.store.close()
                await fixture.discard(scratch)
            }
            report.queries += inquiries.count
        }
        report.duration = ContinuousClock.now - start
        return report
    }
}

/// The result of a run of self-checks.
public struct SelfCheckReport: Sendable {
    /// The seed that repeats the run.
    public let seed: UInt64
    /// The number of queries for each store.
    public internal(set) var queries = 0
    /// The number of checks of all stores: a partition, the pages, the part with some ids, the stream, or the figures of a
    /// query.
    public internal(set) var checks = 0
    /// The number of checks in transactions with pending changes.
    public internal(set) var checksInTransactions = 0
    /// The number of queries that a store refused as `unsupportedQuery`, of all stores together.
    public internal(set) var unsupported = 0
    /// The contradictions in the answers of a store, each with the query.
    public internal(set) var complaints: [String] = []
    /// The duration of the run.
    public internal(set) var duration = Duration.zero
}

extension SelfCheckReport: CustomStringConvertible {
    /// The counts: `100 queries, 594 checks, 53 of them in transactions, 3 queries unsupported`.
    public var description: String {
        "\(queries) queries, \(checks) checks, \(checksInTransactions) of them in transactions, \(unsupported) queries "
            + "unsupported"
    }
}
