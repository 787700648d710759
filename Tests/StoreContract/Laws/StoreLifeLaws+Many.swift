internal import LarderData
internal import LarderDomain

/// Hundreds of commits while a store is open, so that log compactions and checkpoints occur in between.
extension StoreLifeLaws {
    static let many: [Law] = [
        Law(.storeLife, "Each of hundreds of small commits is stored, also if the process is killed") { trial in
            var topics: [StorageObject] = []
            let isDurable = trial.store.traits.capabilities.contains(.durable)
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
                // Also close to the numbers at which stores may act.
                guard number == 260 || number % 64 < 2 || number % 64 == 63 || number == 32 || number == 100 else {
                    continue
                }
                let expected = topics
                try await trial.expectAll(expected, of: Press.topic)
                guard isDurable else { continue }
                try await trial.killed("kill-\(number)") { try await $0.expectAll(expected, of: Press.topic) }
            }
            let expected = topics
            guard isDurable else { return }
            try await trial.reopened { try await $0.expectAll(expected, of: Press.topic) }
        }.tests("commit.3", "commit.4", "commit.5"),
        Law(.storeLife, "The version of a root rises by one with each of hundreds of updates") { trial in
            let topic = Press.topic(trial.rawID(), "Topic")
            try await trial.insert(topic)
            for version in 1...300 as ClosedRange<Int64> {
                let update = topic.update(to: topic, expecting: version)
                _ = try await trial.store.commit(ChangeSet(updates: [update]))
            }
            try await trial.expectStored(topic, version: 301)
            guard trial.store.traits.capabilities.contains(.durable) else { return }
            try await trial.reopened { try await $0.expectStored(topic, version: 301) }
        }.tests("commit.5", "commit.27"),
    ]
}
