import LarderData
import LarderDomain

/// The least that is a store: a dictionary in an actor. It keeps every law that needs no capability, and shows how little
/// a new backend has to bring.
///
/// Each commit works on a copy and judges it whole before it takes the place of the original.
actor DictionaryStore: Store {
    nonisolated let traits = StoreTraits(kind: "dictionary", capabilities: [.soleWriter], changeBuffer: 64)
    nonisolated let schemas: SchemaSet
    private(set) var roots: [EntityKey: StorageObject]
    private var sequence: Int64 = 0
    private var isClosed = false
    private nonisolated let hub = ChangeHub(buffer: 64)
    private nonisolated let outcomes = CommitOutcomes()

    init(_ schemas: SchemaSet, roots: [EntityKey: StorageObject] = [:]) {
        self.schemas = schemas
        self.roots = roots
    }

    func withRows(_ ids: [RawID], of schema: EntitySchema, _ body: RowBody) throws(PersistencyError) {
        try check(schema)
        try Rows.lend(Set(ids).compactMap { roots[EntityKey(schema, $0)] }, to: body)
    }

    func withRows(_ request: ReadRequest, _ body: RowBody) throws(PersistencyError) -> PageEnd {
        try check(request.schema)
        try hub.check(request.consistency)
        let all = roots.values.filter { $0.schema.name == request.schema.name }
        return try request.answer(from: all).lend(to: body)
    }

    func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        try await outcomes.recording(changes) { () throws(PersistencyError) in try store(changes) }
    }

    private func store(_ changes: ChangeSet) throws(PersistencyError) -> CommitReceipt {
        try checkOpen()
        if Task.isCancelled { throw .cancelled }
        try changes.check(against: schemas)
        let next = try Judge(roots: roots, schemas: schemas).roots(after: changes)
        guard !changes.isEmpty else { return CommitReceipt(token: hub.token(at: sequence)) }
        (roots, sequence) = (next, sequence + 1)
        let token = hub.token(at: sequence)
        hub.publish(changes, at: token)
        return CommitReceipt(token: token)
    }

    nonisolated func outcome(of id: CommitID) -> CommitOutcome { outcomes.outcome(of: id) }

    nonisolated func changes(after token: StoreToken?) -> AsyncStream<StoreChange> { hub.subscribe(after: token) }

    func close() {
        isClosed = true
        hub.close()
    }

    private func check(_ schema: EntitySchema) throws(PersistencyError) {
        try checkOpen()
        guard schemas[schema.name] != nil else { throw .unknownEntity(schema.name) }
    }

    private func checkOpen() throws(PersistencyError) {
        if isClosed { throw .unavailable(Unavailable(.closed, "the store was closed")) }
    }
}

/// Finds out what a change set would leave, or why it may not.
struct Judge {
    var roots: [EntityKey: StorageObject]
    let schemas: SchemaSet

    func roots(after changes: ChangeSet) throws(PersistencyError) -> [EntityKey: StorageObject] {
        let expectations = changes.reads + changes.updates.map { RootExpectation($0.key, version: $0.expected) }
        for expectation in expectations + changes.deletes {
            let found = roots[expectation.key]?.version
            guard found == expectation.version else {
                throw .conflict(Conflict(expectation.key.reference, expected: expectation.version, found: found))
            }
        }
        var next = self
        var written: [StorageObject] = []
        for object in changes.inserts {
            guard roots[EntityKey(object.schema, object.id)] == nil else {
                throw .duplicate(Duplicate(entity: object.schema.name, columns: ["id"], existing: object.id))
            }
            written.append(next.put(object, version: changes.version(inserting: object)))
        }
        for update in changes.updates {
            guard let old = roots[update.key] else { continue }
            written.append(next.put(old.applying(update.changes), version: update.expected + 1))
        }
        for delete in changes.deletes { next.roots[delete.key] = nil }
        if !changes.removals.isEmpty {
            next.remove(changes.removals, since: roots)
            written = written.compactMap { next.roots[EntityKey($0.schema, $0.id)] }
        }
        for object in written { try next.judgeOwnership(of: object) }
        for object in written { try next.judgeUniqueness(of: object) }
        for object in written { try next.judgeReferences(in: object) }
        try next.judgeReferrers(to: changes.deletes)
        return next.roots
    }

    /// Removes references from all roots, and raises the versions of those that the change set has not raised already.
    private mutating func remove(_ removals: [ReferenceRemoval], since before: [EntityKey: StorageObject]) {
        let prepared = PreparedRemovals(removals)
        for (key, object) in roots {
            guard var changed = prepared.applied(to: object) else { continue }
            if before[key]?.version == object.version { changed.version += 1 }
            roots[key] = changed
        }
    }

    private mutating func put(_ object: StorageObject, version: Int64) -> StorageObject {
        var object = object
        object.version = version
        roots[EntityKey(object.schema, object.id)] = object
        return object
    }

    private func judgeOwnership(of object: StorageObject) throws(PersistencyError) {
        func owned(_ object: StorageObject) -> [EntityKey] {
            object.children.joined().flatMap { [EntityKey($0.schema, $0.id)] + owned($0) }
        }
        let mine = owned(object)
        if mine.isEmpty { return }
        let others = roots.values.filter { $0.schema.name == object.schema.name && $0.id != object.id }
        let twice = Set(mine).intersection(others.flatMap(owned)).first ?? mine.firstRepeated
        guard let twice else { return }
        throw .duplicate(Duplicate(entity: twice.schema.name, columns: ["id"], existing: twice.id))
    }

    private func judgeUniqueness(of object: StorageObject) throws(PersistencyError) {
        for group in object.schema.uniques {
            let values = group.map { object.values[$0] }
            if values.contains(.null) { continue }
            let twin = roots.values.first { other in
                other.schema.name == object.schema.name && other.id != object.id
                    && group.map { other.values[$0] } == values
            }
            guard let twin else { continue }
            let columns = group.map { object.schema.columns[$0].name }
            throw .duplicate(Duplicate(entity: object.schema.name, columns: columns, existing: twin.id))
        }
    }

    private func judgeReferences(in object: StorageObject) throws(PersistencyError) {
        for (column, value) in zip(object.schema.columns, object.values) {
            guard let reference = column.reference, case .id(let id) = value else { continue }
            try judge(object.schema.name, column.name, to: reference.target, id)
        }
        for (link, ids) in zip(object.schema.links, object.links) {
            for id in ids { try judge(object.schema.name, link.name, to: link.target, id) }
        }
        for child in object.children.joined() { try judgeReferences(in: child) }
    }

    private func judge(
        _ entity: String, _ column: String, to target: String, _ id: RawID
    ) throws(PersistencyError) {
        guard let schema = schemas[target], roots[EntityKey(schema, id)] != nil else {
            throw .dangling(Dangling(entity: entity, column: column, id: id))
        }
    }

    private func judgeReferrers(to deletes: [RootExpectation]) throws(PersistencyError) {
        let deleted = Set(deletes.map(\.key.schema.name)).compactMap { schemas[$0] }
        let referring = Set(deleted.flatMap { schemas.references(to: $0) }.map(\.root.name))
        for object in roots.values where referring.contains(object.schema.name) { try judgeReferences(in: object) }
    }
}

extension [EntityKey] {
    fileprivate var firstRepeated: EntityKey? {
        var seen: Set<EntityKey> = []
        return first { !seen.insert($0).inserted }
    }
}
