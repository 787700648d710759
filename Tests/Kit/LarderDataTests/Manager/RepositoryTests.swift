import FoundationEssentials
import LarderData
import LarderDomain
import Testing

/// The operations that every repository has, and a query.
struct RepositoryTests {
    private struct Persons: EntityRepository {
        typealias Model = Person

        let manager: any PersistencyManager

        func named(_ name: String, startingWith start: String) async throws(PersistencyError) -> [Person] {
            let query = Query<Person>(#Predicate { $0.name == name }).and(#Predicate { $0.name.starts(with: start) })
            return try await read(query).items.map(\.entity)
        }
    }

    private let persons: Persons
    private let ann = Person(1, "Ann")
    private let bea = Person(2, "Bea")
    private let cem = Person(3, "Cem")

    init() throws {
        persons = Persons(manager: try Fixture().manager)
    }

    @Test func `a repository creates, reads, updates, saves and deletes through its manager`() async throws {
        #expect(try await persons.create(ann) == Stored(ann, version: 1))
        #expect(try await persons.create(contentsOf: [bea, cem]).map(\.version) == [1, 1])
        #expect(try await persons.read(ann.id)?.entity == ann)
        #expect(try await persons.read([cem.id, bea.id]).map(\.entity) == [cem, bea])
        #expect(try await persons.read().items.map(\.entity) == [ann, bea, cem])

        #expect(try await persons.update(Person(2, "Bob"), expecting: 1).stored.version == 2)
        #expect(try await persons.save(Person(2, "Bob")).outcome == .unchanged)
        #expect(try await persons.save(contentsOf: [ann, Person(3, "Cleo")]).map(\.outcome) == [.unchanged, .updated])

        try await persons.delete(ann.id, expecting: 1)
        let error = await persistencyError { _ = try await persons.require(ann.id) }
        guard case .notFound = error else { return #expect(Bool(false), "\(error as Any)") }
    }

    @Test func `a query with an additional predicate matches entities that satisfy both`() async throws {
        try await persons.create(ann)
        #expect(try await persons.named("Ann", startingWith: "A") == [ann])
        #expect(try await persons.named("Ann", startingWith: "B").isEmpty)
    }

    @Test func `two entities with one id in a list are a duplicate`() async {
        let error = await persistencyError { _ = try await persons.create(contentsOf: [ann, Person(1, "Bea")]) }
        guard case .duplicate(let duplicate) = error else { return #expect(Bool(false), "\(error as Any)") }
        #expect(duplicate == Duplicate(entity: "person", columns: ["id"], existing: ann.id.rawValue))
    }
}
