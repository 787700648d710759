internal import CookbookDomain
internal import LarderApp
internal import LarderDomain
internal import LarderHTTP

/// An import over HTTP: passes on recipes in batches while they arrive, and spools a result line for each.
///
/// If the store fails before the first recipe is stored, the import fails. If it fails later, it is not called again,
/// and every remaining recipe gets a result line.
struct ImportUpload {
    /// The maximum bytes of the upload in a batch: 1 MiB, and the last line.
    static let batchBytes = 1 << 20

    private let useCase: ImportRecipes
    private var waiting: [RecipeItem] = []
    private var waitingBytes = 0
    private var identities = ImportedIdentities()
    private var results: ImportResults
    /// The store's error after which it is not called again.
    private var trouble: PersistencyError?

    init(useCase: ImportRecipes, results: ImportResults = ImportResults()) {
        (self.useCase, self.results) = (useCase, results)
    }

    /// Adds an item.
    ///
    /// - Parameter bytes: Its length in the upload.
    mutating func take(_ item: RecipeItem, bytes: Int) async throws {
        if case .passedOver(let type) = item.content { return results.addPassedOver(type) }
        waiting.append(identities.checked(item, at: "line \(item.position.number)"))
        waitingBytes += bytes
        if waiting.count >= ImportRecipes.batchSize || waitingBytes >= Self.batchBytes { try await flush() }
    }

    /// Imports the remaining items, and returns all results, followed by the summary.
    mutating func finish() async throws -> (lines: Spool, summary: [UInt8]) {
        try await flush()
        return (results.lines, results.summary)
    }

    private mutating func flush() async throws {
        let batch = waiting
        waiting.removeAll(keepingCapacity: true)
        waitingBytes = 0
        var outcomes = try await outcomes(of: batch.compactMap(\.draft))[...]
        for item in batch {
            if case .bad(let error) = item.content {
                try results.add(line: item.position.number, failure: error.description)
            } else if case .recipe(let result) = item.content, let outcome = outcomes.popFirst() {
                try results.add(line: item.position.number, outcome, notKept: result.notKept)
            }
        }
    }

    private mutating func outcomes(of drafts: [RecipeDraft]) async throws -> [ImportOutcome] {
        guard !drafts.isEmpty else { return [] }
        if trouble == nil {
            do {
                return try await useCase.execute(.init(drafts))
            } catch let error as PersistencyError {
                switch error {
                case .unavailable where results.takesAny, .inDoubt where results.takesAny: trouble = error
                default: throw error
                }
            }
        }
        guard let trouble else { return [] }
        return drafts.map { _ in .failed(trouble) }
    }
}

/// The results of an import, a line for each item, and their counts.
///
/// Two bytes of an upload may have a result of 70, so the lines are bounded. After the bound, or the caller's share of
/// the temporary file, items are only counted.
struct ImportResults {
    /// The maximum bytes of lines: 16 MiB, enough for 150,000 valid recipes.
    static let limit = 16 << 20
    /// The maximum length of a reason, which may quote the input.
    private static let longestReason = 300
    /// The maximum number of notes on a recipe.
    private static let mostNotes = 100
    /// The maximum number of types in ``passedOver``.
    private static let mostTypes = 20

    private(set) var lines: Spool
    private var inserted: Int64 = 0
    private var updated: Int64 = 0
    private var unchanged: Int64 = 0
    private var failed: Int64 = 0
    private var passedOver: [String: Int64] = [:]
    /// The number of items without a line.
    private var omitted: Int64 = 0

    init(limit: Int = Self.limit) {
        lines = Spool(limit: limit, for: .results)
    }

    /// Whether at least one item was imported.
    var takesAny: Bool { inserted + updated + unchanged > 0 }

    mutating func add(line: Int, _ outcome: ImportOutcome, notKept: [String]) throws(SpoolError) {
        switch outcome {
        case .inserted(let id):
            inserted += 1
            try add(line, "inserted", id, notKept)
        case .updated(let id):
            updated += 1
            try add(line, "updated", id, notKept)
        case .replaced(let id, let name):
            updated += 1
            try add(line, "updated", id, notKept + [ImportOutcome.replacement(of: name)])
        case .unchanged(let id):
            unchanged += 1
            try add(line, "unchanged", id, notKept)
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

    /// Counts a value of another type; at most ``mostTypes`` types are counted apart.
    mutating func addPassedOver(_ type: String) {
        let known = passedOver[type] != nil || passedOver.count < Self.mostTypes
        passedOver[known ? String(type.prefix(80)) : "other", default: 0] += 1
    }

    /// The last line.
    var summary: [UInt8] {
        var members: [JSON.Member] = [
            .init("inserted", .integer(inserted)), .init("updated", .integer(updated)),
            .init("unchanged", .integer(unchanged)), .init("failed", .integer(failed)),
        ]
        if omitted > 0 { members.append(.init("omitted", .integer(omitted))) }
        if !passedOver.isEmpty { members.append(.init("passedOver", .sorted(passedOver))) }
        return Self.line(members)
    }

    private mutating func add(
        _ line: Int, _ outcome: String, _ id: EntityID<Recipe>, _ notKept: [String]
    ) throws(SpoolError) {
        var notes = notKept
        if notes.count > Self.mostNotes {
            notes = notes.prefix(Self.mostNotes) + ["… and \(notes.count - Self.mostNotes) more"]
        }
        let told = notes.map { JSON.string($0.count <= Self.longestReason ? $0 : $0.prefix(Self.longestReason) + "…") }
        try add(
            [
                .init("line", .integer(Int64(line))), .init("outcome", .string(outcome)),
                .init("id", .string(id.description)),
            ] + (told.isEmpty ? [] : [.init("notKept", .array(told))]))
    }

    private mutating func add(_ members: [JSON.Member]) throws(SpoolError) {
        // A shorter line might fit after the first one that does not, but the lines are those of the first items.
        guard omitted == 0 else {
            omitted += 1
            return
        }
        do {
            try lines.append(Self.line(members))
        } catch {
            if case .failed = error { throw error }
            omitted = 1
        }
    }

    private static func line(_ members: [JSON.Member]) -> [UInt8] {
        JSON.object(members).bytes() + [UInt8(ascii: "\n")]
    }
}

extension PersistencyError {
    /// The reason in the item's result, without internal details.
    fileprivate var importReason: String {
        switch self {
        case .unavailable, .inDoubt: Problem(self)?.detail ?? reason
        default: reason
        }
    }
}
