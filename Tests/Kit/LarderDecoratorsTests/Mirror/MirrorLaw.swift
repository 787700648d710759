import LarderData
import LarderDecorators
import LarderDomain
import LarderInfrastructure
import Synchronization

@testable import LarderStoreContract

/// The law of mirrors: at each of its commits, a mirror is an exact copy of the primary at its recorded position, and
/// it reaches the last position after every failure.
struct MirrorLaw {
    /// Wraps the store of the mirror; a mutant changes the commits that reach it.
    typealias Mutant = @Sendable (any Store) -> any Store

    var required = 0
    var commits = 150
    var seed: UInt64 = 1
    var mutant: Mutant = { $0 }

    /// - Throws: `LawBroken` with the difference.
    func check() async throws {
        let schemas = try SchemaSet(Press.roots)
        let members = try MirroredStore.schemas(of: schemas)
        let (primary, faults) = (Unstable(MemoryStore(members)), Faults())
        let witness = Witness(mutant(MemoryStore(members)))
        let mirror = Unstable(witness, faults)
        var (state, changeSets, chance) = (
            ReferenceState(schemas: Press.roots), RandomChangeSets(seed: seed), Chance(seed: seed)
        )
        var states: [Int64: [EntityKey: StorageObject]] = [0: [:]]
        func open() async throws -> MirroredStore {
            try await MirroredStore.open(
                schemas, primary: Member("primary", primary), mirrors: [Member("mirror", mirror)], required: required)
        }
        var store = try await open()
        for number in 0..<commits {
            let changes = changeSets.next(for: state)
            if let receipt = try? await store.commit(changes) {
                state = state.state(after: changes)
                states[receipt.token.position] = state.roots
            }
            switch Int.random(in: 0..<12, using: &chance) {
            case 0: faults.decideCommits { .before }
            case 1: faults.decideCommits { [.none, .afterwards].randomElement() ?? .none }
            case 2, 3: faults.decideCommits { .none }
            case 4 where number % 3 == 0:
                // The process ends: the changes that the mirror does not have are not in memory any more.
                await store.close()
                faults.decideCommits { .none }
                store = try await open()
            default: break
            }
            if required > 0 { faults.decideCommits { .none } }
        }
        faults.decideCommits { .none }
        try await reach(store, primary)
        await store.close()
        if let found = difference(try await witness.contents(), state.roots) { throw LawBroken("in the end, \(found)") }
        for (position, roots) in witness.copies {
            guard let expected = states[position] else { throw LawBroken("the mirror recorded position \(position)") }
            if let found = difference(roots, expected) { throw LawBroken("at position \(position), \(found)") }
        }
    }

    private func reach(_ store: MirroredStore, _ primary: any Store) async throws {
        let end = try await primary.commit(ChangeSet()).token.position
        for _ in 0..<60_000 {
            guard let mirror = store.mirrors.first, mirror.position < end else { return }
            if case .incompatible(let why)? = mirror.trouble { throw LawBroken(why) }
            if case .conflict(let why)? = mirror.trouble { throw LawBroken("the mirror differs: \(why)") }
            if case .duplicate(let why)? = mirror.trouble { throw LawBroken("the mirror differs: \(why)") }
            if case .dangling(let why)? = mirror.trouble { throw LawBroken("the mirror differs: \(why)") }
            try await Task.sleep(for: .milliseconds(1))
        }
        throw LawBroken("the mirror never reached position \(end)")
    }
}

/// Copies the content of a mirror after each of its commits that records a position.
private final class Witness: StoreDecorator {
    let base: any Store
    private let seen = Mutex<[(Int64, [EntityKey: StorageObject])]>([])

    init(_ base: any Store) { self.base = base }

    var copies: [(Int64, [EntityKey: StorageObject])] { seen.withLock(\.self) }

    func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        let receipt = try await base.commit(changes)
        guard let position = changes.recordedPosition else { return receipt }
        guard let content = try? await base.contents() else { throw .down }
        seen.withLock { $0.append((position, content)) }
        return receipt
    }
}

extension ChangeSet {
    /// The position that a commit to a mirror records.
    fileprivate var recordedPosition: Int64? {
        let inserted = inserts.first { $0.schema.name == "larder_mirror" }?.values
        let updated = updates.first { $0.key.schema.name == "larder_mirror" }?.changes.columns.map(\.value)
        guard let values = inserted ?? updated, values[0] == .text("mirror"), case .text(let token) = values[1] else {
            return nil
        }
        return ChangeToken(token)?.position
    }

    /// The commit without its changes, except for the record.
    fileprivate var recordOnly: ChangeSet {
        var changes = ChangeSet(id: id)
        changes.inserts = inserts.filter { $0.schema.name == "larder_mirror" }
        changes.updates = updates.filter { $0.key.schema.name == "larder_mirror" }
        return changes
    }

    fileprivate var withoutRecord: ChangeSet {
        var changes = self
        changes.inserts.removeAll { $0.schema.name == "larder_mirror" }
        changes.updates.removeAll { $0.key.schema.name == "larder_mirror" }
        return changes
    }
}

/// A mirror that does not apply commits as they are: a defect of the code that follows the primary.
final class MutantMirror: StoreDecorator {
    enum Defect: Sendable, CaseIterable {
        /// The changes of two consecutive commits are exchanged.
        case reorders
        /// Some updates are applied twice.
        case doubles
        /// The first commit after a failure is lost.
        case losesAfterFailure
        /// A removed reference remains.
        case keepsReferences
    }

    let base: any Store
    private let defect: Defect
    private let state = Mutex((count: 0, held: ChangeSet?.none))

    init(_ base: any Store, _ defect: Defect) { (self.base, self.defect) = (base, defect) }

    func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        guard changes.recordedPosition != nil, !changes.withoutRecord.isEmpty else {
            return try await base.commit(changes)
        }
        let count = state.withLock { state in
            state.count += 1
            return state.count
        }
        switch defect {
        case .reorders:
            guard count > 20 else { return try await base.commit(changes) }
            let held = state.withLock { state in
                defer { state.held = state.held == nil ? changes.withoutRecord : nil }
                return state.held
            }
            let receipt = try await base.commit(held == nil ? changes.recordOnly : changes)
            if let held { return try await base.commit(held) }
            return receipt
        case .doubles:
            let receipt = try await base.commit(changes)
            let updates = changes.withoutRecord.updates.map {
                RootUpdate($0.key, expected: $0.expected + 1, changes: ObjectChanges())
            }
            return count % 20 == 0 && !updates.isEmpty ? try await base.commit(ChangeSet(updates: updates)) : receipt
        case .losesAfterFailure: return try await base.commit(count == 30 ? changes.recordOnly : changes)
        case .keepsReferences:
            var changes = changes
            changes.removals = []
            return try await base.commit(changes)
        }
    }
}
