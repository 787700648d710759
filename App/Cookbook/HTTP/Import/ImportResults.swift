internal import CookbookDomain
internal import LarderApp
internal import LarderDomain
internal import LarderHTTP

/// What became of the items of an import, a line each, and how many of each there are.
struct ImportResults {
    /// The most bytes of results: 1 GiB, more than ten million good recipes have.
    static let limit = 1 << 30
    /// How much of a reason is told; it may repeat what was sent.
    private static let longestReason = 300

    private var spool: Spool
    private var inserted: Int64 = 0
    private var updated: Int64 = 0
    private var unchanged: Int64 = 0
    private var failed: Int64 = 0

    init(limit: Int = Self.limit) {
        spool = Spool(limit: limit)
    }

    /// Whether any item was taken.
    var takesAny: Bool { inserted + updated + unchanged > 0 }

    mutating func add(line: Int, _ outcome: ImportOutcome) throws(SpoolError) {
        switch outcome {
        case .inserted(let id):
            inserted += 1
            try add(line, "inserted", id)
        case .updated(let id):
            updated += 1
            try add(line, "updated", id)
        case .unchanged(let id):
            unchanged += 1
            try add(line, "unchanged", id)
        case .failed(let error): try add(line: line, failure: error.importReason)
        }
    }

    mutating func add(line: Int, failure reason: String) throws(SpoolError) {
        failed += 1
        let told = reason.count <= Self.longestReason ? reason : reason.prefix(Self.longestReason) + "…"
        try add([
            .init("line", .integer(Int64(line))), .init("outcome", .string("failed")), .init("reason", .string(told)),
        ])
    }

    /// Adds the summary.
    mutating func finish() throws(SpoolError) -> Spool {
        try add([
            .init("inserted", .integer(inserted)), .init("updated", .integer(updated)),
            .init("unchanged", .integer(unchanged)), .init("failed", .integer(failed)),
        ])
        return spool
    }

    private mutating func add(_ line: Int, _ outcome: String, _ id: EntityID<Recipe>) throws(SpoolError) {
        try add([
            .init("line", .integer(Int64(line))), .init("outcome", .string(outcome)),
            .init("id", .string(id.description)),
        ])
    }

    private mutating func add(_ members: [JSON.Member]) throws(SpoolError) {
        try spool.append(JSON.object(members).bytes() + [UInt8(ascii: "\n")])
    }
}

extension PersistencyError {
    /// What is told of an item; nothing of the inside.
    fileprivate var importReason: String {
        switch self {
        case .unavailable, .inDoubt: Problem(self)?.detail ?? reason
        default: reason
        }
    }
}
