import CookbookDomain
import LarderApp
import LarderDomain
import LarderInfrastructure
import LarderTesting
import Testing

@testable import CookbookApp

struct ImportRunTests {
    /// The failures of an import of files with these texts, as `file:position`.
    private func failures(_ texts: String...) async throws -> [String] {
        let folder = try TemporaryFolder()
        return try await Container().withCookbook(StoreSettings(location: .memory)) { cookbook in
            var run = ImportRun(useCase: cookbook.importRecipes, isStrict: false)
            try await run.take(try texts.enumerated().map { try folder.file("\($0.offset)", $0.element) })
            return run.report.failed.map { "\($0.place.file.suffix(1)):\($0.place.position)" }
        }
    }

    private func recipe(_ name: String) -> String { #"{"@type":"Recipe","name":"\#(name)"}"# }

    @Test func `failures are in the order of files and lines, whenever they are found`() async throws {
        let late = recipe(String(repeating: "x", count: 201))
        #expect(
            try await failures("\(late)\nx\n\(recipe("A"))\n\(late)", "{}\n\(late)\nx", "x") == [
                "0:1", "0:2", "0:4", "1:1", "1:2", "1:3", "2:1",
            ])
    }

    @Test func `an import that the store interrupts reports what was imported`() async throws {
        let script = MemoryStore.Script()
        script.failCommit(number: 2, with: .unavailable(Unavailable(.full, "no room")))
        let folder = try TemporaryFolder()
        let file = try folder.file(
            "many", (0..<ImportRecipes.batchSize + 70).map { recipe("\($0)") }.joined(separator: "\n"))
        var container = Container()
        container.openStore = { _, schemas in MemoryStore(schemas, script: script) }
        try await container.withCookbook(StoreSettings(location: .memory)) { cookbook in
            var run = ImportRun(useCase: cookbook.importRecipes, isStrict: false)
            let error = await #expect(throws: PersistencyError.self) { try await run.take([file]) }
            #expect(error?.kind == "unavailable")
            #expect(run.report.inserted == ImportRecipes.batchSize)
            // The store is not called again.
            #expect(script.commits.count == 2)
        }
    }

    /// A regression test: each failure searched all preceding ones, which took minutes.
    @Test(.timeLimit(.minutes(5))) func `many bad lines take no longer than as many good ones`() async throws {
        #expect(try await failures("{}\n" + String(repeating: "{bad\n", count: 59_999)).count == 60_000)
    }
}
