import LarderData
import LarderDomain
import LarderFollowers
import LarderGRDB
import LarderStoreContract
import Synchronization
import Testing

/// Followers on a store that retains no commits.
struct GRDBFollowerTests {
    private let mappers: MapperSet

    init() throws {
        mappers = try MapperSet([NoteMapper.self, CopyMapper.self] + Followers.mappers)
    }

    @Test(.timeLimit(.minutes(5)))
    func `a follower has a gap at each start, and then each effect in the store once, in order`() async throws {
        let scratch = "followers-\(UInt64.random(in: .min ... .max))"
        defer { StoreFixture.remove(scratch) }
        let gaps = Mutex(0)
        var follower = Follower.storing("copies", changesOf: [Note.entityName]) { changes, unit in
            for entry in changes.entries {
                let number = Int(entry.reference.id.low)
                try await unit.create(Copy(number: number, handled: Int(changes.token.position)))
            }
        }
        follower.policy.lease = .milliseconds(500)
        follower.restart = .again(atStart: false) { _ in gaps.withLock { $0 += 1 } }
        for start in [100, 200] {
            try await withStore(scratch) { [follower] store, manager in
                try await manager.create(Note(start))
                let followers = try Followers([follower], store: store, manager: manager)
                let following = Task { try await followers.run() }
                // The position of this lifetime is stored after the gap.
                let lifetime = try await manager.position().lifetime
                try await wait { try await followers.statuses().first?.position?.lifetime == lifetime }
                try await wait { gaps.withLock { $0 } == start / 100 }
                for number in 1...50 { try await manager.create(Note(start + number)) }
                try await wait { try await manager.read(Query<Copy>()).items.count >= start / 2 }
                following.cancel()
                try await following.value
                // Positions start again with each lifetime.
                let copies = try await manager.read(Query<Copy>(sort: [Sort(\.id)])).items.map(\.entity)
                let recent = copies.filter { $0.number > start }
                #expect(copies.count == start / 2 && recent.map(\.number) == Array(start + 1...start + 50))
                #expect(recent.map(\.handled) == recent.map(\.handled).sorted())
            }
        }
        #expect(gaps.withLock { $0 } == 2)
    }

    private func withStore(
        _ scratch: String, _ body: (GRDBStore, StoreManager) async throws -> Void
    ) async throws {
        let path = try StoreFixture.path(scratch)
        let store = try await GRDBStore.open(path: path, schemas: mappers.schemas, durability: .normal)
        try await body(store, StoreManager(store, mappers: mappers))
        await store.close()
    }

    private func wait(until isSo: () async throws -> Bool) async throws {
        while try await !isSo() { try await Task.sleep(for: .milliseconds(5)) }
    }
}

private struct Note: Entity {
    let id: EntityID<Note>

    init(_ number: Int) { id = EntityID(RawID(high: 1, low: UInt64(number))) }
}

/// An effect; a repetition would have another id.
private struct Copy: Entity {
    static let ids = UUIDv7Generator()

    var id = EntityID<Copy>(ids.next())
    let number: Int
    /// The position of the handled commit.
    let handled: Int
}

private enum NoteMapper: EntityMapper {
    static let mapping = Mapping<Note>("note", id: \.id, [])

    static func entity(from row: inout ObjectReader) throws -> Note { Note(Int(row.id(Note.self).rawValue.low)) }
}

private enum CopyMapper: EntityMapper {
    static let mapping = Mapping<Copy>(
        "copy", id: \.id, [.column("number", \.number), .column("handled", \.handled)])

    static func entity(from row: inout ObjectReader) throws -> Copy {
        try Copy(id: row.id(), number: row.next(), handled: row.next())
    }
}
