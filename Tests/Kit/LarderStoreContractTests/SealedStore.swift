import LarderData
import LarderDomain

/// Seals some text columns: texts in the schemas that it presents, bytes in the base store.
///
/// The base store evaluates comparisons for equal texts. For all other conditions, this store unseals the roots first.
final class SealedStore: StoreDecorator {
    let base: any Store
    let schemas: SchemaSet
    /// The change sets that were refused without a call to the base.
    private let refused = CommitOutcomes()

    /// - Parameter makeBase: Opens the base store with its schemas.
    init(_ schemas: SchemaSet, _ makeBase: (SchemaSet) throws -> any Store) throws {
        self.schemas = schemas
        base = try makeBase(try SchemaSet(schemas.roots.map(\.sealed)))
    }

    func withRows(
        _ ids: [RawID], of schema: EntitySchema, _ body: @escaping RowBody
    ) async throws(PersistencyError) {
        try await base.withRows(ids, of: base.schemas[schema.name] ?? schema, opening(schema, body))
    }

    func withRows(_ request: ReadRequest, _ body: @escaping RowBody) async throws(PersistencyError) -> PageEnd {
        let below = base.schemas[request.schema.name] ?? request.schema
        guard let condition = request.condition.sealed(in: below),
            !request.order.contains(where: { $0.operand.isSealed(in: below) })
        else {
            let all = ReadRequest(below, consistency: request.consistency)
            let found = try await base.read(all) { (object) throws(PersistencyError) in object.opened(request.schema) }
            return try request.answer(from: found.items).lend(to: body)
        }
        let sealed = ReadRequest(
            below, where: condition, order: request.order, after: request.after, limit: request.limit,
            includesTotal: request.includesTotal, consistency: request.consistency)
        return try await base.withRows(sealed, opening(request.schema, body))
    }

    func counts(_ request: CountRequest) async throws(PersistencyError) -> [Value: Int] {
        let all = ReadRequest(request.schema, where: request.condition, consistency: request.consistency)
        let keys = try await read(all) { (object) throws(PersistencyError) in request.keys(of: object) }
        return keys.items.joined().reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }

    func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        do throws(PersistencyError) {
            try changes.check(against: schemas)
        } catch {
            // A closed store is reported first.
            _ = try await base.commit(ChangeSet())
            refused.record(changes.id, isStored: false)
            throw error
        }
        return try await base.commit(changes.translated(to: base.schemas, Value.sealed))
    }

    func outcome(of id: CommitID) async throws(PersistencyError) -> CommitOutcome {
        let outcome = try await base.outcome(of: id)
        return outcome == .unknown ? refused.outcome(of: id) : outcome
    }

    private func opening(_ schema: EntitySchema, _ body: @escaping RowBody) -> RowBody {
        { (rows) throws(PersistencyError) in
            while try rows.next() { try Rows.lend([try rows.storageObject().opened(schema)], to: body) }
        }
    }
}

extension Column {
    fileprivate var isSealed: Bool { ["name", "title"].contains(name) && [.text, .blob].contains(type) }

    fileprivate var sealed: Column {
        guard isSealed else { return self }
        return Column(name: name, type: .blob, isNullable: isNullable, isDerived: isDerived)
    }
}

extension EntitySchema {
    fileprivate var sealed: EntitySchema {
        EntitySchema(
            name: name, columns: columns.map(\.sealed),
            children: children.map { ChildRelationship(name: $0.name, schema: $0.schema.sealed) }, links: links,
            uniques: uniques, indexes: indexes, ownerColumn: ownerColumn)
    }
}

extension Value {
    fileprivate static func sealed(_ value: Value, _ column: Int, _ schema: EntitySchema) -> Value {
        guard schema.columns[column].isSealed, case .text(let text) = value else { return value }
        return .blob(text.utf8.map { $0 ^ 0x5A })
    }
}

extension StorageObject {
    fileprivate func opened(_ schema: EntitySchema) -> StorageObject {
        translated(to: schema) { value, column, schema in
            guard schema.columns[column].isSealed, case .blob(let bytes) = value else { return value }
            return .text(String(decoding: bytes.map { $0 ^ 0x5A }, as: UTF8.self))
        }
    }
}

extension Operand {
    fileprivate func isSealed(in schema: EntitySchema) -> Bool {
        switch self {
        case .column(let index): schema.columns[index].isSealed
        case .coalesce(let first, let second), .arithmetic(let first, _, let second):
            first.isSealed(in: schema) || second.isSealed(in: schema)
        case .literal, .id, .linkCount, .childCount, .childSum: false
        }
    }

    /// A value to compare with a sealed column.
    fileprivate func sealed(like column: Int, in schema: EntitySchema) -> Operand? {
        guard case .literal(let value) = self else { return nil }
        return .literal(.sealed(value, column, schema))
    }
}

extension Condition {
    /// The condition for the base store; `nil` if the base cannot evaluate it.
    fileprivate func sealed(in schema: EntitySchema) -> Condition? {
        func all(_ parts: [Condition]) -> [Condition]? {
            let sealed = parts.compactMap { $0.sealed(in: schema) }
            return sealed.count == parts.count ? sealed : nil
        }
        switch self {
        case .compare(.column(let column), let comparison, let other)
        where schema.columns[column].isSealed && [.equal, .notEqual].contains(comparison):
            return other.sealed(like: column, in: schema).map { .compare(.column(column), comparison, $0) }
        case .isIn(.column(let column), let values) where schema.columns[column].isSealed:
            return .isIn(.column(column), Set(values.map { .sealed($0, column, schema) }))
        case .compare(let first, _, let second):
            return first.isSealed(in: schema) || second.isSealed(in: schema) ? nil : self
        case .isIn(let operand, _), .contains(let operand, _), .hasPrefix(let operand, _):
            return operand.isSealed(in: schema) ? nil : self
        case .anyChild(let list, let inner):
            return inner.sealed(in: schema.children[list].schema).map { .anyChild(relationship: list, $0) }
        case .and(let parts): return all(parts).map(Condition.and)
        case .or(let parts): return all(parts).map(Condition.or)
        case .not(let inner): return inner.sealed(in: schema).map(Condition.not)
        case .always, .links: return self
        }
    }
}
