import LarderDomain
import Testing

@Suite("Errors describe the fault and the entity in a sentence")
struct ErrorTests {
    private struct Cat: Entity {
        let id: EntityID<Cat>
    }

    private static let id = RawID(high: 0, low: 7)
    private static let reference = EntityReference(entity: "cat", id: id)

    static let sentences: [(PersistencyError, [String])] = [
        (.cancelled, ["cancelled"]),
        (.notFound(reference), ["cat", "\(id)", "not found"]),
        (.duplicate(Duplicate(entity: "cat", columns: ["name", "owner"], existing: id)), ["name, owner", "\(id)"]),
        (.dangling(Dangling(entity: "cat", column: "owner", id: id)), ["cat.owner", "\(id)"]),
        (
            .refused(by: Refusal(target: reference, entity: "toy", column: "owner", example: RawID(high: 0, low: 8))),
            ["cat \(id)", "toy.owner"]
        ),
        (
            .refused(by: Refusal(target: reference, column: "role", rule: "is the only one")),
            ["cat \(id) is the only one"]
        ),
        (.forbidden(Forbidden(.deleting, "cat", id)), ["permission denied: deleting cat \(id)"]),
        (.conflict(Conflict(reference, expected: 3, found: 4)), ["version 3", "version 4"]),
        (.conflict(Conflict(reference, expected: nil, found: nil)), ["expected none, found none"]),
        (.invalid(InvalidField(Cat.self, "name", "must not be empty")), ["cat: name must not be empty"]),
        (.invalid(InvalidField(entity: "cat", id: id, field: "name", reason: "is missing")), ["cat \(id): name is"]),
        (.unsupportedQuery("a regex"), ["unsupported query: a regex"]),
        (.unknownEntity("dog"), ["no mapping for dog"]),
        (.alreadyOpen(holder: "pid 7"), ["already open", "pid 7"]),
        (.outsideTransaction("too late"), ["outside the transaction: too late"]),
        (.incompatible("newer"), ["incompatible store: newer"]),
        (.unavailable(Unavailable(.full, "no space left")), ["full", "no space left"]),
    ]

    @Test(arguments: sentences.indices)
    func `each case`(_ index: Int) {
        let (error, parts) = Self.sentences[index]
        for part in parts { #expect("\(error)".contains(part)) }
    }

    @Test func `a reference can be made from a typed id`() {
        #expect(EntityReference(EntityID<Cat>(Self.id)) == Self.reference)
    }
}
