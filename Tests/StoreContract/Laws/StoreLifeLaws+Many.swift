internal import LarderData
internal import LarderDomain

/// Commits by the hundred while a store is open, so that logs are compacted and checkpoints are made in between.
extension StoreLifeLaws {
    static let many: [Law] = [
        Law(.storeLife, "Each of hundreds of small commits is there when the process is killed", needs: [.durable]) {
            trial in
            var topics: [StorageObject] = []
            for number in 1...260 {
                var changes = ChangeSet(inserts: [Press.topic(trial.rawID(), "Topic \(number)")])
                if number.isMultiple(of: 3) {
                    let old = topics[number / 2 % topics.count]
                    var new = old
                    new.values[0] = .text("Topic \(number), renamed")
                    changes = ChangeSet(updates: [old.update(to: new, expecting: old.version)])
                    new.version += 1
                    topics[number / 2 % topics.count] = new
                } else if number.isMultiple(of: 5) {
                    let gone = topics.remove(at: topics.count / 2)
                    changes = ChangeSet(deletes: [gone.deletion(expecting: gone.version)])
                } else {
                    topics += changes.inserts
                    topics[topics.count - 1].version = 1
                }
                _ = try await trial.store.commit(changes)
                // Also next to the numbers that stores are likely to count to.
                guard number == 260 || number % 64 < 2 || number % 64 == 63 || number == 32 || number == 100 else {
                    continue
                }
                let expected = topics
                try await trial.killed("kill-\(number)") { try await $0.expectAll(expected, of: Press.topic) }
            }
            let expected = topics
            try await trial.reopened { try await $0.expectAll(expected, of: Press.topic) }
        }
    ]
}
