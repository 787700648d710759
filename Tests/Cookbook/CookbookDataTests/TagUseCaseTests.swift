import CookbookData
import CookbookDomain
import LarderDomain
import Testing

struct TagUseCaseTests {
    private func fixture() async throws -> CookbookFixture {
        let fixture = try CookbookFixture()
        try await fixture.add(
            .make("a", tags: ["Trout", "cold"]), .make("b", tags: ["fish", "hot", "Trout"]), .make("c", tags: ["fish"]))
        return fixture
    }

    @Test func `after a merge, each recipe has exactly one of the two tags`() async throws {
        let fixture = try await fixture()
        let (source, target) = (try await fixture.tag("Trout"), try await fixture.tag("fish"))
        let changed = try await MergeTags(storage: fixture.storage).execute(.init(source.id, into: target.id))
        #expect(changed == 2)
        #expect(try await fixture.tagNames(of: "a") == ["fish", "cold"])
        #expect(try await fixture.tagNames(of: "b") == ["fish", "hot"])
        #expect(try await fixture.tagNames(of: "c") == ["fish"])
        #expect(try await fixture.repositories.tags.read(source.id) == nil)
    }

    @Test func `merging a tag with itself or a missing tag is refused`() async throws {
        let fixture = try await fixture()
        let fish = try await fixture.tag("fish").id
        let merge = MergeTags(storage: fixture.storage)
        await #expect(throws: InvalidField.self) { try await merge.execute(.init(fish, into: fish)) }
        let error = await #expect(throws: PersistencyError.self) {
            try await merge.execute(.init(fish, into: fixture.ids.next()))
        }
        #expect(error?.kind == "notFound")
        #expect(try await fixture.tagNames(of: "c") == ["fish"])
    }

    @Test func `a tag can be renamed, also only in case, unless the name exists`() async throws {
        let fixture = try await fixture()
        let rename = RenameTag(storage: fixture.storage)
        let cold = try await fixture.tag("cold").id
        #expect(try await rename.execute(.init(tag: cold, name: "Cold")).outcome == .updated)
        #expect(try await rename.execute(.init(tag: cold, name: "Cold")).outcome == .unchanged)
        #expect(try await fixture.tagNames(of: "a") == ["Trout", "Cold"])
        let error = await #expect(throws: PersistencyError.self) {
            try await rename.execute(.init(tag: cold, name: "hot"))
        }
        guard case .duplicate(let duplicate) = error else { throw CookbookFixture.Missing(what: "duplicate") }
        #expect(try await duplicate.existing == fixture.tag("hot").id.rawValue)
    }

    @Test func `deleting a tag keeps its recipes`() async throws {
        let fixture = try await fixture()
        try await fixture.repositories.tags.delete(fixture.tag("fish").id)
        #expect(try await fixture.tagNames(of: "b") == ["hot", "Trout"])
    }
}
