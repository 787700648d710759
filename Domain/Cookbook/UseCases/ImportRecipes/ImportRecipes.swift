public import LarderDomain

/// Imports recipes from another source: creates new ones and updates known ones.
///
/// The source identifier identifies a recipe; a recipe that is stored under a former identity keeps that. Only fields
/// that the source provides are changed; a rating or photo added here remains, and steps and ingredients keep their ids.
/// A repeated import writes nothing. The caller owns new recipes.
public struct ImportRecipes: Sendable {
    /// The request.
    public struct Request: Sendable {
        /// The recipes, in order, with the texts used for comparison trimmed.
        public let drafts: [RecipeDraft]
        /// Whether one invalid draft prevents the import of all others.
        public let isAllOrNothing: Bool

        /// Makes a request to import recipes.
        public init(_ drafts: [RecipeDraft], isAllOrNothing: Bool = false) {
            self.drafts = drafts.map(\.trimmed)
            self.isAllOrNothing = isAllOrNothing
        }
    }

    /// The number of drafts in a commit, as long as all of them are valid.
    public static let batchSize = 100
    /// The attempts at a commit if another writer stores the same recipe or tag meanwhile.
    private static let retry = RetryPolicy(attempts: 3)

    private let storage: CookbookStorage
    private let ids: any IDGenerator
    private let now: @Sendable () -> Timestamp

    /// Makes the use case.
    public init(storage: CookbookStorage, ids: any IDGenerator, now: @escaping @Sendable () -> Timestamp) {
        self.storage = storage
        self.ids = ids
        self.now = now
    }

    /// Imports the drafts.
    ///
    /// - Returns: The result of each draft, in order.
    /// - Throws: `ImportRejected` if all or nothing was requested and a draft is invalid; `PersistencyError` if the
    ///   store itself fails, in which case preceding drafts may already be stored.
    public func execute(_ request: Request) async throws -> [ImportOutcome] {
        if request.isAllOrNothing { return try await commit(request.drafts, isAllOrNothing: true) }
        var outcomes: [ImportOutcome] = []
        for start in stride(from: 0, to: request.drafts.count, by: Self.batchSize) {
            let batch = Array(request.drafts[start...].prefix(Self.batchSize))
            do {
                outcomes += try await commit(batch)
            } catch let error as PersistencyError where error.isAboutOneEntity {
                outcomes += try await commitOneByOne(batch)
            }
        }
        return outcomes
    }

    private func commitOneByOne(_ drafts: [RecipeDraft]) async throws -> [ImportOutcome] {
        var outcomes: [ImportOutcome] = []
        for draft in drafts {
            do {
                outcomes += try await commit([draft])
            } catch let error as PersistencyError where error.isAboutOneEntity {
                outcomes.append(.failed(error))
            }
        }
        return outcomes
    }

    /// One transaction. An entity that another import created after the lookup causes a duplicate error; a retry finds
    /// it.
    private func commit(_ drafts: [RecipeDraft], isAllOrNothing: Bool = false) async throws -> [ImportOutcome] {
        let isDuplicate = { (error: any Error) in if case PersistencyError.duplicate = error { true } else { false } }
        let interruption: any Error = PersistencyError.cancelled
        return try await Self.retry.repeating(interruption: interruption, while: isDuplicate) { _ in
            try await commitOnce(drafts, isAllOrNothing: isAllOrNothing)
        }
    }

    private func commitOnce(_ drafts: [RecipeDraft], isAllOrNothing: Bool) async throws -> [ImportOutcome] {
        try await storage.transaction { repositories in
            var batch = try await ImportBatch(
                drafts, from: repositories, owner: storage.caller.userID, ids: ids, now: now())
            var outcomes: [ImportOutcome] = []
            for draft in drafts {
                do {
                    outcomes.append(try await batch.store(draft, in: repositories))
                } catch let field as InvalidField {
                    outcomes.append(.failed(.invalid(field)))
                }
            }
            let failures = outcomes.enumerated().compactMap { entry in entry.element.failure.map { (entry.offset, $0) }
            }
            guard !isAllOrNothing || failures.isEmpty else {
                throw ImportRejected(failures: Dictionary(uniqueKeysWithValues: failures))
            }
            return outcomes
        }
    }
}

extension PersistencyError {
    /// Whether the error concerns a single entity, so that others may still be stored.
    fileprivate var isAboutOneEntity: Bool {
        switch self {
        case .duplicate, .dangling, .conflict, .invalid, .notFound, .refused, .forbidden: true
        default: false
        }
    }
}
