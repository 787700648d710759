internal import CookbookDomain
internal import LarderApp
internal import LarderDomain

/// One import that comes in over HTTP: hands recipes on in batches while they arrive, and puts by a line about each.
///
/// A store that fails before anything was taken makes the import fail. One that fails later is not asked any more; the
/// rest is then only reported, so that the client hears of each recipe what became of it.
struct ImportUpload {
    /// How many items are handed on together.
    static let batchSize = 50
    /// How many bytes of the upload wait to be handed on: 1 MiB, and the line that came last.
    static let batchBytes = 1 << 20

    private struct Waiting {
        let line: Int
        let draft: Result<RecipeDraft, SchemaOrgError>
    }

    private let useCase: ImportRecipes
    private var waiting: [Waiting] = []
    private var waitingBytes = 0
    private var results: ImportResults
    /// Why the store takes nothing any more.
    private var trouble: PersistencyError?

    init(useCase: ImportRecipes, results: ImportResults = ImportResults()) {
        self.useCase = useCase
        self.results = results
    }

    /// Takes what was read.
    ///
    /// - Parameters:
    ///   - line: The number that its result has.
    ///   - bytes: How long it was in the upload.
    mutating func take(_ content: RecipeItem.Content, line: Int, bytes: Int) async throws {
        switch content {
        case .recipe(let result): waiting.append(Waiting(line: line, draft: .success(result.draft)))
        case .bad(let error): waiting.append(Waiting(line: line, draft: .failure(error)))
        case .passedOver: return
        }
        waitingBytes += bytes
        if waiting.count >= Self.batchSize || waitingBytes >= Self.batchBytes { try await flush() }
    }

    /// Imports what waits, and gives all results, the summary last.
    mutating func finish() async throws -> Spool {
        try await flush()
        return try results.finish()
    }

    private mutating func flush() async throws {
        let batch = waiting
        waiting.removeAll(keepingCapacity: true)
        waitingBytes = 0
        var outcomes = try await outcomes(of: batch.compactMap { try? $0.draft.get() })[...]
        for item in batch {
            if case .failure(let error) = item.draft {
                try results.add(line: item.line, failure: error.description)
            } else if let outcome = outcomes.popFirst() {
                try results.add(line: item.line, outcome)
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
