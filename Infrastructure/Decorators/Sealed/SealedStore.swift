public import LarderData
public import LarderDomain

/// A decorator that encrypts the values of sealed columns before the base sees them; see `Sealing`.
///
/// Each value is bound to its entity, id and column. A read that finds a value that was changed, moved, or sealed with
/// an unknown key throws `invalid` with entity, id and column. The base, its journal, its files, and its backups contain
/// only sealed values. Errors, change streams and receipts contain no values of columns.
///
/// Encryption runs on the caller's thread, and decryption where the base lends its rows.
public final class SealedStore: StoreDecorator {
    public let base: any Store
    public let schemas: SchemaSet
    let sealer: Sealer
    private let roots: [String: SealedRoot]
    /// The change sets that were refused without a call to the base.
    private let refused = CommitOutcomes()

    private init(_ schemas: SchemaSet, _ sealer: Sealer, _ base: any Store) {
        (self.schemas, self.sealer, self.base) = (schemas, sealer, base)
        var roots: [String: SealedRoot] = [:]
        for schema in schemas.roots {
            guard let form = base.schemas[schema.name] else { continue }
            roots[schema.name] = SealedRoot(schema, form, sealer.keys)
        }
        self.roots = roots
    }

    /// Opens a store.
    ///
    /// - Parameters:
    ///   - schemas: The schemas with the sealed columns.
    ///   - keys: The keys of the sealed columns.
    ///   - makeBase: Opens the base store with the schemas that it receives, see `SchemaSet.sealedForm(_:)`.
    /// - Throws: `incompatible` for a missing or another key, before an object is written, and for a missing key of
    ///   equality; the errors of `makeBase`.
    public static func open(
        _ schemas: SchemaSet, keys: SealingKeys, _ makeBase: (SchemaSet) async throws -> any Store
    ) async throws -> SealedStore {
        if keys.equality == nil, let schema = schemas.all.first(where: { !$0.equalityColumns.isEmpty }) {
            let column = schema.columns[schema.equalityColumns[0]].name
            throw PersistencyError.incompatible(
                "\(schema.name).\(column) is sealed with equality, which requires a key")
        }
        let store = SealedStore(schemas, Sealer(keys: keys), try await makeBase(try schemas.sealedForm(keys)))
        do {
            try await KeyRecord.check(keys, store.base)
        } catch {
            await store.close()
            throw error
        }
        return store
    }

    /// Those of the base, without semi-joins: their conditions are over other schemas than those of the base.
    public var traits: StoreTraits {
        let traits = base.traits
        return StoreTraits(
            kind: traits.kind, capabilities: traits.capabilities.subtracting([.semiJoins]),
            changeBuffer: traits.changeBuffer)
    }

    public func withRows(
        _ ids: [RawID], of schema: EntitySchema, _ body: @escaping RowBody
    ) async throws(PersistencyError) {
        let root = try root(of: schema)
        try await base.withRows(ids, of: root.form, opening(root, body))
    }

    public func lendAtOnce(
        _ id: RawID, of schema: EntitySchema, to body: RowVisitor
    ) throws(PersistencyError) -> LendAnswer {
        let root = try root(of: schema)
        return try base.lendAtOnce(id, of: root.form) { rows throws(PersistencyError) in
            try root.lend(&rows, by: sealer, to: body)
        }
    }

    public func withRows(
        _ request: ReadRequest, _ body: @escaping RowBody
    ) async throws(PersistencyError) -> PageEnd {
        let root = try root(of: request.schema)
        for term in request.order { try root.schema.checkNotSealed(term.operand) }
        var inBase = request
        // The base's rows are opened as a whole.
        inBase.projection = nil
        (inBase.schema, inBase.condition) = (root.form, try sealed(request.condition, root.schema))
        return try await base.withRows(inBase, request.content == .versions ? body : opening(root, body))
    }

    public func counts(_ request: CountRequest) async throws(PersistencyError) -> [Value: Int] {
        let root = try root(of: request.schema)
        if case .column(let index) = request.key { try root.schema.checkNotSealed(.column(index)) }
        return try await base.counts(
            CountRequest(
                root.form, where: try sealed(request.condition, root.schema), by: request.key,
                consistency: request.consistency))
    }

    public func aggregates(_ request: AggregateRequest) async throws(PersistencyError) -> AggregateTable {
        let root = try root(of: request.schema)
        for index in request.columns { try root.schema.checkNotSealed(.column(index)) }
        return try await base.aggregates(
            AggregateRequest(
                root.form, where: try sealed(request.condition, root.schema), by: request.keys, of: request.figures,
                consistency: request.consistency))
    }

    public func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        let sealed: ChangeSet
        do throws(PersistencyError) {
            try changes.check(against: schemas, isSealing: true, allowsBulk: true)
            var inBase = try changes.sealed(by: sealer, schemas, base.schemas)
            inBase.bulk = try changes.bulk.map { (bulk) throws(PersistencyError) in
                let root = try root(of: bulk.schema)
                for assignment in bulk.assignments { try root.schema.checkNotSealed(.column(assignment.column)) }
                return BulkChange(
                    root.form, where: try self.sealed(bulk.condition, root.schema), bulk.assignments)
            }
            sealed = inBase
        } catch {
            // A closed store is reported first.
            _ = try await base.commit(ChangeSet())
            refused.record(changes.id, isStored: false)
            throw error
        }
        do {
            return try await base.commit(sealed)
        } catch .duplicate(let duplicate) {
            throw .duplicate(named(duplicate))
        }
    }

    public func outcome(of id: CommitID) async throws(PersistencyError) -> CommitOutcome {
        let outcome = try await base.outcome(of: id)
        return outcome == .unknown ? refused.outcome(of: id) : outcome
    }

    /// Decorators below this one, and features of the base that are protocols of stores. Others would bypass the
    /// encryption: the base by its type, and SQL.
    public func feature<Feature>(_ type: Feature.Type) -> Feature? {
        if let own = self as? Feature { return own }
        guard let found = base.feature(type), found is any Store else { return nil }
        return type is any Store.Type && !(type is any StoreDecorator.Type) ? nil : found
    }

    private func root(of schema: EntitySchema) throws(PersistencyError) -> SealedRoot {
        guard let root = roots[schema.name] else { throw .unknownEntity(schema.name) }
        return root
    }

    private func opening(_ root: SealedRoot, _ body: @escaping RowBody) -> RowBody {
        if root.schema.sealedColumn == nil { return body }
        return { [sealer] (rows) throws(PersistencyError) in try root.lend(&rows, by: sealer, to: body) }
    }

    private func sealed(_ condition: Condition, _ schema: EntitySchema) throws(PersistencyError) -> Condition {
        try condition.replacingSealed(in: schema) { column, value, schema in
            (schema.hashColumn(of: column), sealer.hash(value, column, schema))
        }
    }

    /// Names the columns of hashes by the columns that they belong to.
    private func named(_ duplicate: Duplicate) -> Duplicate {
        guard let schema = schemas[duplicate.entity], let form = base.schemas[duplicate.entity] else {
            return duplicate
        }
        let columns = duplicate.columns.map { name in
            guard let index = form.index(ofColumn: name), index >= schema.columns.count else { return name }
            return schema.columns[schema.equalityColumns[index - schema.columns.count]].name
        }
        return Duplicate(entity: duplicate.entity, columns: columns, existing: duplicate.existing)
    }
}
