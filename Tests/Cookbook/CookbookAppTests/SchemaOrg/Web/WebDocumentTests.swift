import CookbookDomain
import LarderApp
import LarderInfrastructure
import LarderTesting
import Testing

@testable import CookbookApp

struct WebDocumentTests {
    @Test(arguments: WebDocument.all)
    func `each shape is read completely, or the note says what is left out`(_ document: WebDocument) throws {
        let items = RecipeItem.items(in: try JSON(schemaOrg: document.text.utf8))
        let results = items.compactMap { item in if case .recipe(let result) = item.content { result } else { nil } }
        #expect(results.map(\.draft.name) == [document.description])
        #expect(results.map { WebDocument.summary(of: $0.draft) } == [document.recipe])
        #expect(results.map(\.notKept) == [document.notKept])
        #expect(!items.contains { if case .bad = $0.content { true } else { false } })
    }

    @Test func `all shapes are imported, and the report names what is left out of each`() async throws {
        let folder = try TemporaryFolder()
        let files = try WebDocument.all.enumerated().map { try folder.file("\($0.offset)", $0.element.text) }
        #expect(files.count >= 60)
        try await Container().withCookbook(StoreSettings(location: .memory)) { cookbook in
            for isFirst in [true, false] {
                var run = ImportRun(useCase: cookbook.importRecipes, isStrict: false)
                try await run.take(files)
                #expect(run.report.failed.map(\.reason) == [])
                #expect(run.report.inserted == (isFirst ? files.count : 0))
                #expect(run.report.unchanged == (isFirst ? 0 : files.count))
                #expect(run.report.failure(isStrict: false) == nil)
                let notes = Dictionary(run.report.notes.map { ($0.place.file, $0.notKept) }) { $0 + $1 }
                for (file, document) in zip(files, WebDocument.all) {
                    #expect(notes[file] ?? [] == document.notKept, "\(document)")
                }
            }
        }
    }
}
