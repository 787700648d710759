import LarderData
import LarderDomain
import Synchronization

@testable import LarderInfrastructure

/// The content of a store before and after a migration. A killed process leaves one of them, and nothing else.
struct MigrationOutcome {
    /// A version of the schemas, with the content of a store.
    struct State {
        let schemas: SchemaSet
        let content: [StorageObject]

        func isRecorded(as items: [SchemaItem]) -> Bool { Set(schemas.items) == Set(items) }

        /// Whether a store has the same objects, at the same versions.
        func holds(_ objects: [StorageObject]) -> Bool {
            content == objects && content.map(\.version) == objects.map(\.version)
        }
    }

    struct Wrong: Error { let why: String }

    let old: State
    let new: State

    /// Whether a recorded schema is the new one. Throws if it is neither.
    func isNew(_ items: [SchemaItem]) throws -> Bool {
        if old.isRecorded(as: items) { return false }
        try check(new.isRecorded(as: items), "the recorded schema is neither the old nor the new one")
        return true
    }

    func check(_ isRight: Bool, _ why: @autoclosure () -> String) throws {
        if !isRight { throw Wrong(why: why()) }
    }
}

/// The same ids in each run, so that two migrations of the same content have equal results.
struct RepeatedIDs: IDGenerator {
    private final class Counter: Sendable {
        let last = Atomic<UInt64>(0)
    }

    private let counter = Counter()

    func next() -> RawID { RawID(high: 0x0191 << 8, low: counter.last.wrappingAdd(1, ordering: .relaxed).newValue) }
}
