import LarderData
import LarderDomain
import LarderInfrastructure
import LarderStoreContract
@testable import LarderStoreContractTests

/// A memory store with one mutation.
final class MutantStore: MeasuredStore {
    private let base: MemoryStore
    private let mutation: Mutation
    let traits: StoreTraits
    let schemas: SchemaSet

    var identity: ObjectIdentifier { mutation.sharesIdentity ? ObjectIdentifier(Self.self) : ObjectIdentifier(self) }

    init(_ schemas: SchemaSet, _ mutation: Mutation) {
        base = MemoryStore(schemas)
        self.mutation = mutation.again()
        self.schemas = mutation.schemas(schemas)
        traits = StoreTraits(
            kind: "mutant", capabilities: base.traits.capabilities.union(mutation.pretends),
            changeBuffer: base.traits.changeBuffer)
    }

    func withRows(
        _ ids: [RawID], of schema: EntitySchema, _ body: @escaping RowBody
    ) async throws(PersistencyError) {
        if mutation.takesStrangers, base.schemas[schema.name] == nil { return }
        let found: [StorageObject]
        if let own = mutation.lookUp {
            found = try await own(ids, schema, base)
        } else {
            found = try await base.read(ids, of: schema)
        }
        let objects = found.map { mutation.object($0.of(schema)) }
        try lend(mutation.found(ids, schema, objects), by: .ids, to: body)
    }

    func lendAtOnce(
        _ id: RawID, of schema: EntitySchema, to body: RowVisitor
    ) throws(PersistencyError) -> LendAnswer {
        guard let lookUp = mutation.lookUpAtOnce else { return .declined }
        try lend(lookUp(id), by: .atOnce, to: body)
        return .lent
    }

    private func lend(
        _ objects: [StorageObject], by kind: ReadKind, to body: RowVisitor
    ) throws(PersistencyError) {
        guard let lending = mutation.lending else { return try Rows.lend(objects, to: body) }
        var rows = Rows(objects[...])
        try lending(kind, body, &rows)
    }

    func withRows(_ request: ReadRequest, _ body: @escaping RowBody) async throws(PersistencyError) -> PageEnd {
        if mutation.takesStrangers, base.schemas[request.schema.name] == nil { return PageEnd() }
        var asked = mutation.request(request)
        let answer: ReadResult<StorageObject>
        if let matches = mutation.matches {
            let all = try await base.read(ReadRequest(request.schema)).items
            let found = all.filter { matches(asked.condition, $0) }
            // Not by a list of the ids, because a law that exceeds its time for that reason would count as a killer.
            asked.condition = .always(true)
            answer = asked.answer(from: found)
        } else if let own = mutation.answer {
            answer = try await own(asked, base)
        } else {
            answer = try await base.read(asked)
        }
        let result = mutation.result(request, answer)
        var lent = result.items.map { $0.of(request.schema) }
        if mutation.endsWithBody, request.order.isEmpty {
            var rows = Rows(lent[...])
            try body(&rows)
            return PageEnd(next: try rows.next() ? nil : result.next, total: result.total)
        }
        if mutation.lendsByID { lent.sort { $0.id < $1.id } }
        for object in lent {
            do throws(PersistencyError) {
                try lend([mutation.object(object)], by: .page, to: body)
            } catch {
                if !mutation.skipsFailures { throw error }
            }
        }
        if mutation.lendsOneMore, let next = result.next {
            let more = ReadRequest(request.schema, where: asked.condition, order: asked.order, after: next, limit: 1)
            try Rows.lend(try await base.read(more).items, to: body)
        }
        return PageEnd(next: result.next, total: result.total)
    }

    func counts(_ request: CountRequest) async throws(PersistencyError) -> [Value: Int] {
        if let tally = mutation.tally { return try await tally(request, base) }
        let all = ReadRequest(request.schema, where: request.condition, consistency: request.consistency)
        let keys = try await read(all) {
            (object) throws(PersistencyError) in request.keys(of: object)
        }
        return mutation.counts(keys.items.joined().reduce(into: [:]) { $0[$1, default: 0] += 1 })
    }

    func aggregates(_ request: AggregateRequest) async throws(PersistencyError) -> AggregateTable {
        if let figures = mutation.figures { return try await figures(request, base) }
        var table = AggregateTable(request)
        let all = ReadRequest(request.schema, where: request.condition, consistency: request.consistency)
        for root in try await read(all).items { table.add(root) }
        return table
    }

    func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        try await mutation.commit(changes, base)
    }

    func outcome(of id: CommitID) -> CommitOutcome { mutation.outcomeOf(id, mutation.outcome(base.outcome(of: id))) }

    func changes(after token: ChangeToken?) async -> AsyncStream<ChangeEvent> {
        mutation.changes(base.changes(after: mutation.token(token)))
    }

    func measurements() async -> StoreMeasurements { mutation.measurements(await base.measurements()) }

    func close() async { if mutation.closes { await mutation.closing(base) } }
}

extension StorageObject {
    /// The object with its correct schema, regardless of the schema that a mutation gave it.
    fileprivate func of(_ schema: EntitySchema) -> StorageObject {
        StorageObject(schema: schema, id: id, version: version, values: values, children: children, links: links)
    }
}

extension StoreFixture {
    /// Stores with a mutation.
    static func mutant(_ mutation: Mutation) -> StoreFixture {
        if let disk = mutation.disk { return .disk(mutation.name, disk) }
        return StoreFixture(mutation.name) { schemas, _ in MutantStore(schemas, mutation) }
    }
}
