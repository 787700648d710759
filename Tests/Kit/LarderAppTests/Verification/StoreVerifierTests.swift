import LarderApp
import LarderData
import LarderDomain
import LarderInfrastructure
import Testing

/// The problems that verification finds in a store.
struct StoreVerifierTests {
    private let store: MemoryStore

    private static func id(_ number: Int) -> RawID { RawID(high: 1, low: UInt64(number)) }

    init() async throws {
        let mappers = try MapperSet([CrateMapper.self, PersonMapper.self])
        store = MemoryStore(mappers.schemas)
        let manager = StoreManager(store, mappers: mappers)
        let person = Person(id: EntityID(Self.id(1)), name: "Ada")
        try await manager.create(person)
        for number in 11...400 {
            var crate = Crate(id: EntityID(Self.id(number)), name: "Crate \(number)", code: "Code \(number)")
            crate.owners = [person.id]
            crate.bottles = [Bottle(id: EntityID(Self.id(1000 + number)), filler: person.id)]
            try await manager.create(crate)
        }
    }

    /// The problems after tampering with crate 300, which is beyond the first page.
    private func problems(_ tamper: @escaping @Sendable (inout StorageObject) -> Void) async throws -> [String] {
        var found: [String] = []
        let tampered = TamperedStore(store) { object in
            if object.schema.name == "crate", object.id == Self.id(300) { tamper(&object) }
        }
        let count = try await StoreVerifier.verify(tampered, progress: { _ in }, report: { found.append("\($0)") })
        #expect(count == 391)
        return found
    }

    @Test func `a sound store has no problem, and progress covers every object`() async throws {
        var last: [String: StoreVerifier.Progress] = [:]
        let count = try await StoreVerifier.verify(
            store, progress: { last[$0.part] = $0 }, report: { Issue.record("\($0)") })
        #expect(count == 391)
        #expect(last["crate"]?.done == 390 && last["crate"]?.total == 390 && last["person"]?.done == 1)
    }

    @Test(arguments: [
        ("name", Value.null, "cannot be read as an entity"),
        ("folded_name", .text("other"), "folded_name differs from the value computed"),
        ("code", .text("Code 12"), "has the same code as"),
        ("inside", .id(RawID(high: 9, low: 9)), "refers to crate"),
    ]) func `a column that is not as it must be is found, with its object`(
        name: String, value: Value, words: String
    ) async throws {
        let found = try await problems { object in
            if let index = object.schema.index(ofColumn: name) { object.values[index] = value }
        }
        #expect(found.count == 1 && found[0].contains(words), "\(found)")
        #expect(found.first?.hasPrefix("\(EntityReference(entity: "crate", id: Self.id(300)))") == true, "\(found)")
    }

    @Test func `links and owned objects that refer to nothing are found`() async throws {
        let links = try await problems { $0.links[0].append(RawID(high: 9, low: 9)) }
        #expect(links.count == 1 && links[0].contains("refers to person"), "\(links)")
        let owned = try await problems { $0.children[0][0].values[0] = .id(RawID(high: 9, low: 9)) }
        #expect(owned.count == 1 && owned[0].contains("refers to person"), "\(owned)")
    }
}
