public import LarderData
internal import LarderDomain

/// Random change sets, queries and counts, sent to several stores at once. A model judges each answer, so that the stores
/// agree with each other; a caller can then compare their files.
public struct ChangeSetRun: Sendable {
    /// The schemas with which the stores are opened.
    public static func schemas() throws -> SchemaSet { try SchemaSet(Press.roots) }

    private let operations: Int
    private let seed: UInt64

    /// Plans a run.
    ///
    /// - Parameters:
    ///   - operations: The minimum number of commits, queries and counts sent to each store.
    ///   - seed: The seed of the operations.
    public init(operations: Int, seed: UInt64 = RunSize.seed) { (self.operations, self.seed) = (operations, seed) }

    /// Sends the operations to empty stores.
    ///
    /// - Throws: An error at the first answer that differs from the model's, with the seed.
    public func run(_ stores: [any Store]) async throws -> RunReport {
        let start = ContinuousClock.now
        var state = ReferenceState(schemas: Press.roots)
        var changeSets = RandomChangeSets(seed: seed)
        var questions = RandomQuestions(seed: seed &+ 1, pools: .small)
        var (done, stored) = (0, 0)
        while done < operations {
            let changes = changeSets.next(for: state)
            let faults = state.faults(of: changes)
            for store in stores { try await commit(changes, to: store, faults) }
            if faults.isEmpty { (state, stored) = (state.state(after: changes), stored + 1) }
            questions.samples = state.everything
            let schema = Press.roots[done / 4 % Press.roots.count]
            let (request, other) = (questions.request(schema), questions.request(Press.magazine))
            let count = questions.count(schema)
            for store in stores {
                try await ask(request, state, store)
                try await ask(other, state, store)
                let keys = state.all(schema).filter { count.condition.holds(for: $0) }.flatMap { count.keys(of: $0) }
                let expected = keys.reduce(into: [:]) { $0[$1, default: 0] += 1 }
                try expect("\(place(store)) counts by \(count.key)", try await store.counts(count), is: expected)
            }
            done += 4
        }
        let figure = "\(done) operations on each of \(stores.count) stores, \(stored) change sets stored"
        return RunReport("change sets", figure: figure, seed: seed, duration: ContinuousClock.now - start)
    }

    private func place(_ store: any Store) -> String { "seed \(seed): what the store \(store.traits.kind)" }

    private func commit(_ changes: ChangeSet, to store: any Store, _ faults: Set<Fault>) async throws {
        do {
            _ = try await store.commit(changes)
            guard let fault = faults.first else { return }
            throw LawBroken("\(place(store)) stored should be refused: \(fault)")
        } catch let error as PersistencyError where faults.contains(Fault(error)) {
            return
        }
    }

    private func ask(_ request: ReadRequest, _ state: ReferenceState, _ store: any Store) async throws {
        let expected = request.answer(from: state.all(request.schema))
        let found = try await store.read(request)
        let what = "\(place(store)) finds in \(request.schema.name) where \(request.condition) by \(request.order)"
        try expect(what, found.items, is: expected.items)
        try expect("the versions of \(what)", found.items.map(\.version), is: expected.items.map(\.version))
        try expect("the end of \(what)", found.next, is: expected.next)
        try expect("the total of \(what)", found.total, is: expected.total)
    }
}
