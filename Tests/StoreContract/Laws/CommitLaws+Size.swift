internal import LarderData
internal import LarderDomain

/// Sizes at and above the limits that stores use internally: batches of 50, 256, 300, 500, or 1,000.
extension CommitLaws {
    static let size: [Law] = [
        Law(.commits, "A change set of any number of roots is one commit, and its receipt names all of them") { trial in
            for count in [60, 1_100] {
                try await trial.fresh("size-\(count)") { try await LargeChangeSets(count, $0).commitAll() }
            }
        }.tests("changes.3", "commit.1", "event.4", "ids.4"),
        Law(.commits, "A refused change set of any number of roots stores nothing, wherever its fault is") {
            trial in
            let (store, taken) = (trial.store, Press.member(trial.rawID(), "taken"))
            let stream = await store.changes()
            let first = try await store.commit(ChangeSet(inserts: [taken])).token
            for count in [60, 1_100] {
                let inserts = (0..<count).map { Press.member(trial.rawID(), "New \($0)") }
                for place in [0, count / 2, count - 1] {
                    var twin = ChangeSet(inserts: inserts)
                    twin.inserts[place].values[0] = .text("taken")
                    try await duplicate(of: "a taken name at \(place)") { try await store.commit(twin) }
                }
                let stale = ChangeSet(inserts: inserts, deletes: [taken.deletion(expecting: 2)])
                try await conflict(of: "a stale version") { try await store.commit(stale) }
                let loose = Press.topic(trial.rawID(), "loose", parent: trial.rawID())
                try await dangling(of: "a reference to nothing") {
                    try await store.commit(ChangeSet(inserts: inserts + [loose]))
                }
                try await trial.expectCount(1, of: Press.member)
                try await trial.expectCount(0, of: Press.topic)
            }
            let last = try await store.commit(ChangeSet(deletes: [taken.deletion(expecting: 1)])).token
            try expect("the received tokens", try await trial.heard(stream).map(\.token), is: [first, last])
        }.tests("changes.4", "commit.1", "commit.30"),
        Law(.commits, "Each version that a change set expects is judged, however many there are") { trial in
            let store = trial.store
            for count in [60, 1_100] {
                let there = trial.members(count, "There \(count)")
                let absent = trial.members(count, "Absent \(count)")
                _ = try await store.commit(ChangeSet(inserts: there))
                let absences = absent.map { RootExpectation($0.key, version: nil) }
                let reads = there.map { $0.deletion(expecting: 1) } + absences
                for place in [count - 1, 2 * count - 1] {
                    // A wrong version, and the opposite of the actual presence.
                    for version in [2, reads[place].version == nil ? 1 : nil] as [Int64?] {
                        let new = Press.member(trial.rawID(), "New")
                        var stale = ChangeSet(inserts: [new], reads: reads)
                        stale.reads[place] = RootExpectation(reads[place].key, version: version)
                        let found = try await conflict(of: "a stale read at \(place)") {
                            try await store.commit(stale)
                        }
                        try expect("the root of the conflict", found.reference, is: reads[place].key.reference)
                        try await trial.expectAbsent(new)
                    }
                }
                for place in [0, count - 1] {
                    var (stale, gone) = (ChangeSet(reads: absences), ChangeSet(reads: absences))
                    stale.updates = there.enumerated().map { $1.update(to: $1, expecting: $0 == place ? 2 : 1) }
                    gone.deletes = there.enumerated().map { $1.deletion(expecting: $0 == place ? 2 : 1) }
                    for changes in [stale, gone] {
                        let found = try await conflict(of: "a stale version at \(place)") {
                            try await store.commit(changes)
                        }
                        try expect("the root of the conflict", found.reference, is: there[place].reference)
                    }
                }
                let deletes = there.map { $0.deletion(expecting: 1) }
                _ = try await store.commit(ChangeSet(deletes: deletes, reads: absences))
            }
        }.tests("commit.10", "conflict.1", "set.4", "set.6", "set.8"),
        Law(.commits, "A read by any number of ids returns each root once") { trial in
            let members = (0..<1_300).map { Press.member(trial.rawID(), "Member \($0)") }
            _ = try await trial.store.commit(ChangeSet(inserts: members))
            var chance = Chance(seed: 3)
            for count in [1, 51, 256, 257, 301, 1_000, 1_001, 1_300] {
                let wanted = Array(members.shuffled(using: &chance).prefix(count)).sorted { $0.id < $1.id }
                let strangers = (0..<5).map { RawID(high: 1, low: UInt64($0)) }
                let ids = (wanted.map(\.id) + strangers + wanted.suffix(7).map(\.id)).shuffled(using: &chance)
                let found = try await trial.store.read(ids, of: Press.member).sorted { $0.id < $1.id }
                try expect("what \(count) ids find", found == wanted, is: true)
                try expect("their versions", Set(found.map(\.version)), is: [1])
            }
        }.tests("ids.1", "ids.2", "ids.3", "ids.4"),
        Law(.commits, "A root may have any number of owned objects and links, which can be changed, moved and deleted")
        { trial in
            let topics = (0..<400).map { Press.topic(trial.rawID(), "Topic \($0)") }
            _ = try await trial.store.commit(ChangeSet(inserts: topics))
            let articles = (0..<330).map { number in
                let nested = number == 5 ? 300 : number % 2
                let footnotes = (0..<nested).map { Press.footnote(trial.rawID(), "\(number) \($0)") }
                return Press.article(
                    trial.rawID(), "Article \(number)", footnotes: footnotes, topics: [topics[number].id])
            }
            var magazine = Press.magazine(trial.rawID(), "Large", articles: articles, topics: topics.map(\.id))
            magazine.children[1] = (0..<1_100).map { Press.advert(trial.rawID(), price: Int64($0)) }
            try await trial.insert(magazine)
            try await trial.expectStored(magazine)
            try await trial.expectLengths(of: magazine)
            var chance = Chance(seed: 9)
            for version in 1...4 as ClosedRange<Int64> {
                let before = magazine
                switch version {
                case 1:
                    magazine.children = magazine.children.map { $0.reversed() }
                    magazine.links[0].reverse()
                case 2:
                    for list in 0...1 {
                        for place in magazine.children[list].indices {
                            magazine.children[list][place].values[1] = .integer(7)
                        }
                        magazine.children[list].shuffle(using: &chance)
                    }
                    magazine.links[0] += topics.map(\.id)
                case 3:
                    magazine.children = magazine.children.map { list in
                        list.enumerated().filter { $0.offset % 3 != 0 }.map(\.element)
                    }
                    magazine.links[0].removeAll { $0 == topics[3].id }
                default: (magazine.children, magazine.links[0]) = ([[], []], [])
                }
                _ = try await trial.store.commit(ChangeSet(updates: [before.update(to: magazine, expecting: version)]))
                try await trial.expectStored(magazine, version: version + 1)
                try await trial.expectLengths(of: magazine)
            }
        }.tests(
            "counts.8", "operand.3", "operand.4", "set.3", "set.18", "set.19", "set.20", "set.23", "set.24", "store.2"),
    ]
}

extension Trial {
    /// A new id, greater than all earlier ones.
    func rawID() -> RawID { id(Author.self).rawValue }

    /// Fails the law unless queries and counts find the only magazine by the lengths of its lists.
    fileprivate func expectLengths(of magazine: StorageObject) async throws {
        let owned = magazine.children.enumerated().map { (Operand.childCount($0), $1.count) }
        let linked = magazine.links.enumerated().map { (Operand.linkCount($0), $1.count) }
        for (operand, length) in owned + linked {
            for (number, isFound) in [(length, true), (length + 1, false)] {
                let condition = Condition.compare(operand, .equal, .literal(.integer(Int64(number))))
                let found = try await store.read(ReadRequest(Press.magazine, where: condition)).items.count
                try expect("how many have \(operand) of \(number)", found, is: isFound ? 1 : 0)
            }
        }
        for (list, objects) in magazine.children.enumerated() {
            let counts = try await store.counts(
                CountRequest(Press.magazine, where: .always(true), by: .childCount(list)))
            try expect("the counts by length", counts, is: [.integer(Int64(objects.count)): 1])
        }
    }

    fileprivate func members(_ count: Int, _ name: String) -> [StorageObject] {
        (0..<count).map { Press.member(rawID(), "\(name) \($0)") }
    }
}

/// Inserts, updates, and deletes many roots, each in one change set.
private struct LargeChangeSets {
    private let trial: Trial
    private let count: Int
    private let owners: [StorageObject]
    private var state = ReferenceState(schemas: Press.roots)
    private var told: [[CommittedChange]] = []

    init(_ count: Int, _ trial: Trial) {
        (self.trial, self.count) = (trial, count)
        owners = (0..<2).map { Press.member(trial.rawID(), "Owner \($0)") }
    }

    func commitAll() async throws {
        var copy = self
        try await copy.run()
    }

    private mutating func run() async throws {
        let streams = [await trial.store.changes(), await trial.store.changes()]
        let magazines = (0..<count).map { Press.magazine(trial.rawID(), "M \($0)", owner: owners[$0 % 2].id) }
        try await commit(ChangeSet(inserts: owners + magazines.reversed()))
        let changed = magazines.map { old in
            var new = old
            (new.values[2], new.values[4]) = (.integer(2001), .id(owners[0].id))
            return new
        }
        let updates = zip(magazines, changed).map { old, new in
            RootUpdate(old.key, expected: 1, changes: ObjectChanges(from: old, to: new), owner: owners[0].id)
        }
        try await commit(ChangeSet(updates: updates))
        func deletions(_ objects: some Sequence<StorageObject>) -> [RootExpectation] {
            objects.map { RootExpectation($0.key, version: 2, owner: owners[0].id) }
        }
        let (gone, kept) = (changed.prefix(count / 2), changed.suffix(from: count / 2))
        let new = try (0..<count).map { try Counter(EntityID(trial.rawID()), $0).object }
        try await commit(ChangeSet(inserts: new, deletes: deletions(gone)))
        // A change set of deletions only, for all remaining roots.
        try await commit(ChangeSet(deletes: deletions(kept)))
        try await commit(ChangeSet(deletes: new.map { $0.deletion(expecting: 1) }))
        await trial.store.close()
        for stream in streams {
            let heard = try await stream.commits()
            try expect("the number of received commits", heard.count, is: told.count)
            for (commit, entries) in zip(heard, told) {
                try expect(
                    commit.entries == entries, "of \(entries.count) entries others were heard: \(commit.entries.count)")
            }
        }
    }

    private mutating func commit(_ changes: ChangeSet) async throws {
        _ = try await trial.store.commit(changes)
        (state, told) = (state.state(after: changes), told + [ReferenceState.entries(of: changes)])
        let ids = (changes.inserts.map(\.key) + changes.updates.map(\.key) + changes.deletes.map(\.key))
        for schema in Press.roots + [CounterMapper.schema] {
            let asked = ids.filter { $0.schema.name == schema.name }.map(\.id)
            let expected = state.all(schema).sorted { $0.id < $1.id }
            let found = try await trial.store.read(asked, of: schema).sorted { $0.id < $1.id }
            let wanted = expected.filter { Set(asked).contains($0.id) }
            try expect(found == wanted, "of \(asked.count) ids others were found: \(found.count)")
            let page = try await trial.store.read(ReadRequest(schema, includesTotal: true))
            try expect(page.items == expected, "a scan found \(page.items.count) of \(expected.count), or others")
            try expect("the versions", page.items.map(\.version) == expected.map(\.version), is: true)
            try expect("the total", page.total, is: expected.count)
        }
    }
}
