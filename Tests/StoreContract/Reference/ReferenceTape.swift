internal import LarderData
internal import LarderDomain
internal import Synchronization

/// Random change sets, each committed to a store and judged by a ``ReferenceState``. Every answer, the readable data
/// afterwards, and the notifications must equal the reference's.
struct ReferenceTape {
    /// The ids of the requirements that a tape tests.
    static let requirements = [
        "changes.1", "changes.3", "changes.4", "commit.1", "commit.3", "commit.10", "commit.11", "commit.12",
        "commit.13", "commit.14", "commit.15", "commit.16", "commit.17", "commit.18", "commit.19", "commit.21",
        "commit.22", "commit.23", "commit.24", "commit.26", "commit.30", "event.4", "event.5", "event.6", "event.8",
        "event.9", "ids.1", "ids.3", "page.6", "page.7", "receipt.1", "removal.1", "removal.2", "removal.3",
        "removal.4", "set.17", "set.21", "set.22", "set.23", "set.24",
    ]

    private(set) var state: ReferenceState
    private var changeSets: RandomChangeSets
    private var questions: RandomQuestions
    private let seed: UInt64
    let pools: PressPools
    private var step = 0

    init(seed: UInt64, pools: PressPools = .small) {
        self.seed = seed
        self.pools = pools
        state = ReferenceState(schemas: Press.roots)
        changeSets = RandomChangeSets(seed: seed, pools: pools)
        questions = RandomQuestions(seed: seed &+ 1, pools: pools)
    }

    /// Plays the given number of change sets, and closes the store to collect the notifications.
    mutating func play(_ count: Int, on trial: Trial) async throws {
        let streams = [await trial.store.changes(), await trial.store.changes()]
        var expected: [(entries: [CommittedChange], removals: [RemovedReference])] = []
        var tokens: [ChangeToken] = []
        for _ in 0..<count where expected.count < trial.store.traits.changeBuffer {
            step += 1
            let changes = changeSets.next(for: state)
            guard let receipt = try await commit(changes, to: trial) else { continue }
            if changes.isEmpty { continue }
            tokens.append(receipt.token)
            expected.append((ReferenceState.entries(of: changes), changes.removals.map(\.removedReference)))
            try await compare(changes, with: trial)
        }
        try await compareEverything(with: trial)
        await trial.store.close()
        for stream in streams {
            let heard = try await stream.commits()
            try expect("the number of received commits", heard.count, is: expected.count)
            for (commit, expected) in zip(heard, expected) {
                try expect("the received changes", commit.entries, is: expected.entries)
                try expect("the received removals", commit.removals, is: expected.removals)
            }
            try expect("the received tokens", heard.map(\.token), is: tokens)
        }
    }

    private var here: String { "change set \(step) of tape \(seed)" }

    /// Commits a change set and checks the answer: `nil` if it had to be refused.
    private mutating func commit(_ changes: ChangeSet, to trial: Trial) async throws -> CommitReceipt? {
        let faults = state.faults(of: changes)
        do {
            let receipt = try await trial.store.commit(changes)
            if let fault = faults.first { throw LawBroken("\(here) was stored and should be refused: \(fault)") }
            state = state.state(after: changes)
            return receipt
        } catch let error as PersistencyError {
            guard faults.contains(Fault(error)) else {
                let expected = faults.isEmpty ? "stored" : "refused by \(faults)"
                throw LawBroken("\(here) was refused (\(error)) and should be \(expected)")
            }
            return nil
        }
    }

    /// Reads the roots that a change set wrote.
    private mutating func compare(_ changes: ChangeSet, with trial: Trial) async throws {
        let keys = changes.inserts.map(\.key) + changes.updates.map(\.key) + changes.deletes.map(\.key)
        // The final reads cover the others.
        for key in keys.prefix(20) {
            let found = try await trial.store.read(key.id, of: key.schema)
            try expectSame(found, state.roots[key], "\(key.reference) after \(here)")
        }
        let schema = Press.roots[step % Press.roots.count]
        questions.samples = state.everything
        for _ in 0..<(pools.isLarge ? 3 : 1) {
            try await ask(questions.request(schema), trial)
            try await ask(questions.request(Press.magazine), trial)
        }
        try await count(schema, trial)
    }

    /// Fills the store, and sends the given number of queries for each schema.
    mutating func ask(_ count: Int, of trial: Trial) async throws {
        while state.roots.isEmpty { _ = try await commit(changeSets.next(for: state), to: trial) }
        questions.samples = state.everything
        for number in 0..<count {
            for schema in Press.roots {
                try await ask(questions.request(schema), trial)
                if number.isMultiple(of: 4) { try await self.count(schema, trial) }
            }
        }
    }

    private mutating func count(_ schema: EntitySchema, _ trial: Trial) async throws {
        let count = questions.count(schema)
        let keysFound = state.all(schema).filter { count.condition.holds(for: $0) }.flatMap { count.keys(of: $0) }
        let counts = keysFound.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        let found = try await trial.store.counts(count)
        try expect("the counts by \(count.key) of \(schema.name) where \(count.condition)", found, is: counts)
    }

    /// Reads a page and its successor.
    private func ask(_ request: ReadRequest, _ trial: Trial) async throws {
        var request = request
        for _ in 0..<2 {
            let expected = request.answer(from: state.all(request.schema))
            let transformed = Mutex<[RawID]>([])
            let found = try await trial.store.read(request) { (object) throws(PersistencyError) in
                transformed.withLock { $0.append(object.id) }
                return object
            }
            let what = "what \(request.schema.name) where \(request.condition) by \(request.order)"
            try expect("\(what) finds", found.items.map(\.id), is: expected.items.map(\.id))
            try expect(
                "the order in which \(what) is transformed", transformed.withLock { $0 }, is: found.items.map(\.id))
            for (one, other) in zip(found.items, expected.items) { try expectSame(one, other, what) }
            try expect("where \(what) ends", found.next, is: expected.next)
            try expect("the total of \(what)", found.total, is: expected.total)
            guard let next = expected.next else { return }
            request.after = next
        }
    }

    /// Reads all roots by id, some of them twice.
    func compareEverything(with trial: Trial) async throws {
        for schema in Press.roots {
            let pool = pools.roots[schema.name] ?? []
            let found = try await trial.store.read(pool + pool.prefix(3), of: schema)
            let expected = state.all(schema).sorted { $0.id < $1.id }
            try expect("the ids of \(schema.name)", found.map(\.id).sorted(), is: expected.map(\.id))
            for (one, other) in zip(found.sorted { $0.id < $1.id }, expected) {
                try expectSame(one, other, schema.name)
            }
        }
    }

    private func expectSame(_ found: StorageObject?, _ expected: StorageObject?, _ what: String) throws {
        try expect(what, found, is: expected)
        try expect("the version of \(what)", found?.version, is: expected?.version)
    }
}
