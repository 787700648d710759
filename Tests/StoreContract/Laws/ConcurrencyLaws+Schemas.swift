internal import LarderData
internal import LarderDomain

/// Readers that read one schema after another, while change sets over several schemas are committed.
extension ConcurrencyLaws {
    static let schemas: [Law] = [
        Law(.concurrency, "A change set over several schemas can be read in all of them at once") { trial in
            for count in [1, 60] {
                try await trial.fresh("of \(count)") { trial in try await SchemasScene(trial, count).run() }
            }
        }.tests("commit.2", "commit.3", "consistency.1", "consistency.2", "ids.5", "ids.6", "page.1")
    ]
}

/// Roots of three schemas, the same number of each, which always contain the same number.
private struct SchemasScene: Sendable {
    private let store: any Store
    private let schemas = [Press.topic, Press.member, Press.magazine]
    private let roots: [[StorageObject]]

    init(_ trial: Trial, _ count: Int) async throws {
        store = trial.store
        let ids = (0..<3).map { _ in (0..<count).map { _ in trial.rawID() } }
        roots = zip(schemas, ids).map { schema, ids in ids.map { Self.root(schema, $0, 0) } }
        _ = try await store.commit(ChangeSet(inserts: Array(roots.joined())))
    }

    private static func root(_ schema: EntitySchema, _ id: RawID, _ number: Int) -> StorageObject {
        switch schema.name {
        case "topic": Press.topic(id, "\(number) \(id)")
        case "member": Press.member(id, "\(number) \(id)")
        default: Press.magazine(id, "\(number) \(id)")
        }
    }

    /// Commits continuously until each pair of schemas has been read often enough.
    func run() async throws {
        let left = Countdown(1_200 / (20 + roots[0].count))
        let written = Countdown(800 / (20 + roots[0].count))
        try await withThrowingTaskGroup { group in
            group.addTask {
                var number = 0
                while !left.isOver || !written.isOver, !Task.isCancelled {
                    let updates = roots.enumerated().flatMap { place, roots in
                        roots.map { root in
                            Self.root(schemas[place], root.id, number)
                                .update(
                                    to: Self.root(schemas[place], root.id, number + 1), expecting: Int64(number + 1))
                        }
                    }
                    _ = try await store.commit(ChangeSet(updates: updates.shuffled()))
                    number += 1
                    try await require(atLeast: number, in: 0..<3)
                    _ = written.take()
                    await Task.yield()
                }
            }
            for byIDs in [false, true] {
                group.addTask {
                    while left.take() || !written.isOver, !Task.isCancelled {
                        for first in 0..<3 {
                            for second in 0..<3 where second != first {
                                let number = try await number(in: first, byIDs: byIDs)
                                try await require(atLeast: number, in: second..<(second + 1), byIDs: byIDs)
                            }
                        }
                        await Task.yield()
                    }
                }
            }
            while try await group.next() != nil {}
        }
    }

    /// A number that was read from one schema, or acknowledged, is a lower bound for later reads of the other schemas.
    private func require(atLeast number: Int, in places: Range<Int>, byIDs: Bool = false) async throws {
        for place in places {
            let found = try await self.number(in: place, byIDs: byIDs)
            try expect(
                found >= number, "change set \(found) was read in \(schemas[place].name) after \(number) was in another"
            )
        }
    }

    private func number(in place: Int, byIDs: Bool) async throws -> Int {
        let (schema, ids) = (schemas[place], roots[place].map(\.id))
        let found = try await byIDs ? store.read(ids, of: schema) : store.read(ReadRequest(schema)).items
        try expect("how many of \(schema.name) are read", found.count, is: ids.count)
        let numbers = Set(found.map(\.version))
        try expect("how many versions of \(schema.name) are read", numbers.count, is: 1)
        return Int(numbers.first ?? 0) - 1
    }
}
