import LarderApp
import LarderData
import LarderDomain
import LarderInfrastructure
import Testing

@testable import LarderHTTP

struct KeptRepresentationsTests {
    private let kept = KeptRepresentations()
    private let made = Tally()

    /// The JSON of a person, with a name of another aggregate.
    private func json(of person: Stored<Person>, _ others: [String] = [], readIn epoch: UInt64?) -> String {
        let representation = Representation(
            json: {
                made.add(1)
                return .object([.init("name", .string(person.name)), .init("others", .array(others.map(JSON.string)))])
            }(), others: others)
        return String(
            decoding: kept.json(of: person, representation, PersonResource.self, readIn: epoch), as: UTF8.self)
    }

    @Test func `a representation is encoded once for each version of its entity and of the others`() {
        let ann = Stored(Person(id: EntityID(RawID(high: 0, low: 1)), name: "Ann"), version: 1)
        for _ in 1...3 { #expect(json(of: ann, ["a 1"], readIn: 1) == #"{"name":"Ann","others":["a 1"]}"#) }
        #expect(made.now == 1)
        #expect(json(of: ann, ["a 2"], readIn: 1) == #"{"name":"Ann","others":["a 2"]}"#)
        let renamed = Stored(Person(id: ann.id, name: "Anna"), version: 2)
        #expect(json(of: renamed, ["a 2"], readIn: 1) == #"{"name":"Anna","others":["a 2"]}"#)
        #expect(made.now == 3)
        // An entity that was read while the life of an id ended, or before, is encoded, and its JSON is not kept.
        for epoch in [nil, 0] as [UInt64?] { #expect(json(of: ann, ["a 1"], readIn: epoch).contains("a 1")) }
        #expect(made.now == 5)
    }

    /// The name in the representation of a person that was created again with its id, and so with its version.
    private func nameOfSecondLife(_ lives: (CachedStore) -> @Sendable () -> UInt64?) async throws -> String {
        let mappers = try MapperSet([PersonMapper.self])
        let store = CachedStore(MemoryStore(mappers.schemas))
        let manager = StoreManager(store, mappers: mappers)
        kept.follow(lives(store))
        var name = ""
        for life in ["first", "second"] {
            let id = EntityID<Person>(RawID(high: 0, low: 1))
            try await manager.create(Person(id: id, name: life))
            let epoch = kept.epoch
            name = json(of: try #require(try await manager.read(id)), readIn: epoch)
            try await manager.delete(id)
        }
        return name
    }

    @Test func `representations of a former life are dropped`() async throws {
        #expect(try await nameOfSecondLife { store in { store.livesEpoch } }.contains("second"))
    }

    @Test func `without the end of lives, a representation of a former life is found`() async throws {
        #expect(try await nameOfSecondLife { _ in { 1 } }.contains("first"))
    }
}
