internal import LarderData
internal import LarderDomain

enum ChangesLaws {
    static let all: [Law] = [
        Law(.changes, "An observer hears of each commit once, with the number of its receipt") { trial in
            let stream = await trial.store.changes()
            var sequences: [Int64] = []
            for name in ["Ada", "Bea", "Cleo"] {
                sequences.append(try await trial.insert(try Author(trial.id(), name).object).sequence)
            }
            try expect("the numbers heard", await trial.heard(stream).map(\.sequence), is: sequences)
        },
        Law(.changes, "An observer hears who was inserted, updated and deleted, with their versions") { trial in
            let (ada, bea, new) = (
                try Author(trial.id(), "Ada").object, try Author(trial.id(), "Bea").object,
                try Author(trial.id(), "Cleo").object
            )
            try await trial.insert(ada, bea)
            let stream = await trial.store.changes()
            let changes = ChangeSet(
                inserts: [new], updates: [ada.update(to: ada, expecting: 1)], deletes: [bea.deletion(expecting: 1)])
            _ = try await trial.store.commit(changes)
            let expected = [
                CommittedChange(key: new.key, kind: .inserted, version: 1),
                CommittedChange(key: ada.key, kind: .updated, version: 2),
                CommittedChange(key: bea.key, kind: .deleted, version: 1),
            ]
            try expect("what was heard", await trial.heard(stream).map(\.entries), is: [expected])
        },
        Law(.changes, "A commit that failed or wrote nothing is not heard of") { trial in
            let author = try Author(trial.id(), "Ada").object
            try await trial.insert(author)
            let stream = await trial.store.changes()
            try await duplicate(of: "a taken name") { try await trial.insert(try Author(trial.id(), "Ada").object) }
            try await conflict(of: "a stale version") {
                try await trial.store.commit(ChangeSet(deletes: [author.deletion(expecting: 9)]))
            }
            _ = try await trial.store.commit(ChangeSet())
            try expect("what was heard", await trial.heard(stream), is: [])
        },
        Law(.changes, "An observer hears nothing of what was before it") { trial in
            try await trial.insert(try Author(trial.id(), "Ada").object)
            let stream = await trial.store.changes()
            let last = try await trial.insert(try Author(trial.id(), "Bea").object)
            try expect("the numbers heard", await trial.heard(stream).map(\.sequence), is: [last.sequence])
        },
        Law(.changes, "All observers hear the same") { trial in
            let streams = [await trial.store.changes(), await trial.store.changes(), await trial.store.changes()]
            for name in ["Ada", "Bea"] { try await trial.insert(try Author(trial.id(), name).object) }
            await trial.store.close()
            for stream in streams {
                let heard = await stream.reduce(into: []) { $0.append($1) }
                try expect("how many commits were heard of", heard.count, is: 2)
            }
        },
        Law(.changes, "An observer that leaves disturbs neither the store nor the others") { trial in
            let staying = await trial.store.changes()
            do {
                let leaving = await trial.store.changes()
                try await trial.insert(try Author(trial.id(), "Ada").object)
                for await _ in leaving { break }
            }
            try await trial.insert(try Author(trial.id(), "Bea").object)
            try expect("how many commits were heard of", await trial.heard(staying).count, is: 2)
        },
        Law(.changes, "What an observer hears of can be read") { trial in
            let counter = try Counter(trial.id()).object
            try await trial.insert(counter)
            let stream = await trial.store.changes()
            let store = trial.store
            let observer = Task {
                var seen: [(heard: Int64, read: Int64)] = []
                for await commit in stream {
                    let read = try await store.read(counter.id, of: counter.schema)?.version ?? 0
                    seen.append((commit.entries.first?.version ?? .max, read))
                    if seen.count == 20 { break }
                }
                return seen
            }
            for version in 1...20 as ClosedRange<Int64> {
                _ = try await store.commit(ChangeSet(updates: [counter.update(to: counter, expecting: version)]))
            }
            let seen = try await withTaskCancellationHandler {
                try await observer.value
            } onCancel: {
                observer.cancel()
            }
            try expect("how many commits were heard of", seen.count, is: 20)
            for (heard, read) in seen {
                try expect(read >= heard, "version \(heard) was heard of and \(read) could be read")
            }
        },
        Law(.changes, "Commits of many tasks are heard of in their order") { trial in
            let stream = await trial.store.changes()
            let objects = try (0..<8).map { _ in try Counter(trial.id()).object }
            let store = trial.store
            try await withThrowingTaskGroup { group in
                for object in objects {
                    group.addTask {
                        _ = try await store.commit(ChangeSet(inserts: [object]))
                        for version in 1...5 as ClosedRange<Int64> {
                            let update = object.update(to: object, expecting: version)
                            _ = try await store.commit(ChangeSet(updates: [update]))
                        }
                    }
                }
                try await group.waitForAll()
            }
            let heard = await trial.heard(stream)
            try expect("how many commits were heard of", heard.count, is: 48)
            for (one, next) in zip(heard, heard.dropFirst()) {
                try expect(one.sequence < next.sequence, "\(next.sequence) was heard of after \(one.sequence)")
            }
            for object in objects {
                let versions = heard.flatMap(\.entries).filter { $0.key == object.key }.map(\.version)
                try expect("the versions of one root", versions, is: Array(1...6))
            }
        },
        Law(.changes, "An observer that falls behind loses the oldest, and the numbers show it") { trial in
            let stream = await trial.store.changes()
            let (store, buffer) = (trial.store, trial.store.traits.changeBuffer)
            let ids = trial.ids(buffer + 10, Counter.self)
            let sequences = try await withThrowingTaskGroup(of: Int64.self) { group in
                for id in ids {
                    group.addTask { try await store.commit(ChangeSet(inserts: [try Counter(id).object])).sequence }
                }
                return try await group.reduce(into: []) { $0.append($1) }.sorted()
            }
            let heard = await trial.heard(stream)
            try expect("the numbers heard", heard.map(\.sequence), is: Array(sequences.suffix(buffer)))
        },
    ]
}

extension Trial {
    /// Closes the store and gives all that an observer heard.
    func heard(_ stream: AsyncStream<CommittedChanges>) async -> [CommittedChanges] {
        await store.close()
        return await stream.reduce(into: []) { $0.append($1) }
    }
}
