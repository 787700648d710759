internal import LarderData
internal import LarderDomain

/// Large commits beside small ones.
extension ConcurrencyLaws {
    static let large: [Law] = [
        Law(.concurrency, "Commits that are made during large ones are kept") { trial in
            let (store, isDone) = (trial.store, Flag())
            @Sendable func member() -> StorageObject {
                let id = trial.rawID()
                return Press.member(id, "\(id)")
            }
            let large = (0..<12).map { _ in (0..<300).map { _ in member() } }
            async let committing: Void = {
                defer { isDone.set() }
                for members in large { _ = try await store.commit(ChangeSet(inserts: members)) }
            }()
            let small = try await withThrowingTaskGroup(of: [StorageObject].self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        var stored: [StorageObject] = []
                        while !isDone.isSet, !Task.isCancelled {
                            let (old, id) = (member(), trial.rawID())
                            let new = Press.member(old.id, "\(id)").at(version: 2)
                            _ = try await store.commit(ChangeSet(inserts: [old]))
                            await Task.yield()
                            _ = try await store.commit(ChangeSet(updates: [old.update(to: new, expecting: 1)]))
                            stored.append(new)
                        }
                        return stored
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            try await committing
            let expected = (large.joined().map { $0.at(version: 1) } + small).sorted { $0.id < $1.id }
            let found = try await store.read(ReadRequest(Press.member)).items
            try expect("the number of stored roots", found.count, is: expected.count)
            try expect(found == expected, "other roots are stored than those that were committed")
            try expect(found.map(\.version) == expected.map(\.version), "the stored roots have other versions")
        }.tests("commit.1", "commit.3", "commit.16")
    ]
}
