import LarderData
import LarderDomain
import Synchronization

@testable import LarderInfrastructure

/// Commits of every kind to a store of tags and books, whose objects take several pages.
final class BackupOnlineLoad: Sendable {
    private let store: any Store
    private let done = Mutex<[(position: Int64, changes: ChangeSet)]>([])

    init(_ store: any Store) { self.store = store }

    /// The commits in order.
    var commits: [(position: Int64, changes: ChangeSet)] { done.withLock { $0 } }

    func prepare() async throws {
        try await commit(ChangeSet(inserts: (1...600).map { Sample.tag($0 * 10, "\($0)") }))
        try await commit(
            ChangeSet(
                inserts: (1...600).map { number in
                    let page = Sample.page(
                        100_000 + number, "p", notes: [Sample.note(200_000 + number, "n")], tags: [20])
                    return Sample.book(10 * number, pages: [page], tags: [10 * number, 20, 30])
                }))
    }

    /// Changes roots at the start, in the middle and at the end of the order of ids.
    func commit(beforeStep number: Int) async throws {
        for start in [number % 10, 250 + number % 100, 590 + number % 10] {
            let id = 10 * (start + 1)
            try await update(id, "Step \(number)", tags: [id, 20])
            // A new root in a page that may be read already.
            try await insert(Sample.book(id + 1 + number % 9, "New", tags: [30]))
            // A deleted root that exists again, with the same version.
            try await delete(Sample.book, id)
            // A deleted root without other changes.
            try await delete(Sample.book, id + 300)
            if number % 3 > 0 { try await insert(Sample.book(id, "Again \(number)", sequels: [10 * (start + 1)])) }
        }
        // All books lose a tag that they may have been read with, and some get it again.
        let tag = [20, 30][number % 2]
        try await delete(Sample.tag, tag)
        if number % 4 > 1 {
            try await insert(Sample.tag(tag, "again \(tag)"))
            try await update(3000, "With the tag", tags: [tag])
        }
        if number % 5 == 0 { try await insert(Sample.tag(tag, "again \(tag)")) }
    }

    private func update(_ number: Int, _ title: String, tags: [Int]) async throws {
        guard let old = try await store.read(Sample.id(number), of: Sample.book) else { return }
        var stored: [Int] = []
        for tag in tags where try await store.read(Sample.id(tag), of: Sample.tag) != nil { stored.append(tag) }
        try await commit(ChangeSet(updates: [Sample.book(number, title, tags: stored).update(from: old)]))
    }

    private func insert(_ root: StorageObject) async throws {
        guard try await store.read(root.id, of: root.schema) == nil else { return }
        var root = root
        for (index, link) in root.schema.links.enumerated() where link.target == "tag" {
            for id in root.links[index] where try await store.read(id, of: Sample.tag) == nil { root.links[index] = [] }
        }
        try await commit(ChangeSet(inserts: [root]))
    }

    private func delete(_ schema: EntitySchema, _ number: Int) async throws {
        guard let old = try await store.read(Sample.id(number), of: schema) else { return }
        try await commit(
            ChangeSet(deletes: [old.expecting(old.version)], removals: store.removals(of: schema, number)))
    }

    private func commit(_ changes: ChangeSet) async throws {
        let position = try await store.commit(changes).token.position
        done.withLock { $0.append((position, changes)) }
    }
}

extension Store {
    /// The removals of all references to a root.
    func removals(of schema: EntitySchema, _ number: Int) -> [ReferenceRemoval] {
        schemas.roots.flatMap(\.references).filter { $0.target == schema.name }.map {
            ReferenceRemoval(of: Sample.id(number), from: $0)
        }
    }
}
