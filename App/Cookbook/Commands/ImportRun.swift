internal import CookbookDomain
internal import LarderApp

/// One import: reads files, passes drafts on in batches, and collects the report.
struct ImportRun {
    private let useCase: ImportRecipes
    private let isStrict: Bool
    private let progress: ImportProgress
    private var waiting: [(place: ImportReport.Place, draft: RecipeDraft)] = []
    /// The results so far.
    private(set) var report = ImportReport()
    private var identities = ImportedIdentities()
    private var bar = ProgressBar("import")
    private var done = 0

    init(useCase: ImportRecipes, isStrict: Bool, progress: ImportProgress = ImportProgress()) {
        (self.progress, self.useCase, self.isStrict) = (progress, useCase, isStrict)
    }

    /// Imports files; with `--strict`, all or none.
    ///
    /// - Throws: `InputError` for an unreadable file, after storing the recipes before the error; `PersistencyError`.
    mutating func take(_ files: [String]) async throws {
        defer { bar.clear() }
        do {
            for (number, file) in files.enumerated() { try await take(file, number: number) }
        } catch let error as InputError {
            if !isStrict { try await flush() }
            throw error
        }
        if !isStrict || report.failed.isEmpty { try await flush() }
    }

    private mutating func take(_ file: String, number: Int) async throws {
        var source = try RecipeSource(path: file)
        var isEmpty = true
        while let next = try source.next() {
            let place = ImportReport.Place(file: file, fileNumber: number, position: next.position)
            let item = identities.checked(next, at: place.description)
            switch item.content {
            case .recipe(let result):
                waiting.append((place, result.draft))
                report.note(notKept: result.notKept, place)
                isEmpty = false
            case .passedOver(let type): report.notePassedOver(type)
            case .bad(let error):
                report.noteFailure(place, error.description)
                isEmpty = false
            }
            if !isStrict, waiting.count >= ImportRecipes.batchSize { try await flush() }
            bar.update(done: done + waiting.count, fraction: source.progress)
        }
        if isEmpty {
            report.noteFailure(.init(file: file, fileNumber: number, position: .line(1)), "contains no recipe")
        }
    }

    private mutating func flush() async throws {
        let batch = waiting
        waiting = []
        try await progress.begin()
        defer { progress.end(report) }
        do {
            let outcomes = try await useCase.execute(.init(batch.map(\.draft), isAllOrNothing: isStrict))
            for (item, outcome) in zip(batch, outcomes) { report.note(outcome, item.place) }
        } catch let rejected as ImportRejected {
            for (index, error) in rejected.failures.sorted(by: { $0.key < $1.key }) {
                report.note(.failed(error), batch[index].place)
            }
        }
        done += batch.count
    }
}
