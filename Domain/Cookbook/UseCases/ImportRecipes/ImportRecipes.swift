public import LarderDomain

/// Takes recipes from another source: new ones are created, those that came before are brought up to date.
///
/// A recipe is recognised by its source identifier. Only what the source says is touched; what was given to the recipe
/// here (a rating, a photo) stays, and steps and ingredients keep their ids. The same import again writes nothing. A new
/// recipe is the caller's.
public struct ImportRecipes: Sendable {
    /// What to import, and how.
    public struct Request: Sendable {
        /// The recipes, in order, without blanks at the ends of what they are compared by.
        public let drafts: [RecipeDraft]
        /// Whether one bad draft keeps all the others out too.
        public let isAllOrNothing: Bool

        /// Asks for an import.
        public init(_ drafts: [RecipeDraft], isAllOrNothing: Bool = false) {
            self.drafts = drafts.map(\.trimmed)
            self.isAllOrNothing = isAllOrNothing
        }
    }

    /// How many drafts share a commit as long as all of them are good.
    private static let batchSize = 50
    /// How often a commit is tried again when somebody else stored the same recipe or tag meanwhile.
    private static let attempts = 3

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
    /// - Returns: What became of each draft, in their order.
    /// - Throws: `ImportRejected` when all or nothing was asked for and a draft is bad; `PersistencyError` when the store
    ///   itself fails, and then drafts before it may be stored already.
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

    /// One transaction. What another import created since it was read shows as a duplicate, and is found the next time.
    private func commit(_ drafts: [RecipeDraft], isAllOrNothing: Bool = false) async throws -> [ImportOutcome] {
        for _ in 1..<Self.attempts {
            do {
                return try await commitOnce(drafts, isAllOrNothing: isAllOrNothing)
            } catch PersistencyError.duplicate {
                continue
            }
        }
        return try await commitOnce(drafts, isAllOrNothing: isAllOrNothing)
    }

    private func commitOnce(_ drafts: [RecipeDraft], isAllOrNothing: Bool) async throws -> [ImportOutcome] {
        try await storage.transaction { repositories in
            var batch = try await ImportBatch(
                drafts, from: repositories, owner: storage.caller.userID, ids: ids, now: now())
            var outcomes: [ImportOutcome] = []
            for draft in drafts {
                do {
                    outcomes.append(ImportOutcome(try await batch.store(draft, in: repositories)))
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
    /// Whether it is about what was to be stored, so that something else may well be stored after it.
    fileprivate var isAboutOneEntity: Bool {
        switch self {
        case .duplicate, .dangling, .conflict, .invalid, .notFound, .refused, .forbidden: true
        default: false
        }
    }
}
