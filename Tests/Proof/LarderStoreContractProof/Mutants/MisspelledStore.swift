import LarderData
import LarderDomain
import LarderStoreContract

@testable import LarderInfrastructure

/// A SQLite store with a fault in the SQL of its queries: the equivalent of a wrong line in `Infrastructure/Kit/SQL`, which
/// makes the text that is changed here.
final class MisspelledStore: StoreDecorator {
    private let store: SQLiteStore
    private let fault: @Sendable (String) -> String

    init(_ store: SQLiteStore, _ fault: @escaping @Sendable (String) -> String) {
        (self.store, self.fault) = (store, fault)
    }

    var base: any Store { store }

    func withRows(_ request: ReadRequest, _ body: @escaping RowBody) async throws(PersistencyError) -> PageEnd {
        let plan = try store.plan.root(request.schema)
        return try await store.scan(isShort: false) { [fault] connection throws(PersistencyError) in
            try SQLReading(connection: MisspelledSession(connection, fault)).page(request, plan, body)
        }
    }

    func aggregates(_ request: AggregateRequest) async throws(PersistencyError) -> AggregateTable {
        let plan = try store.plan.root(request.schema)
        return try await store.scan(isShort: false) { [fault] connection throws(PersistencyError) in
            try SQLReading(connection: MisspelledSession(connection, fault)).aggregates(request, plan)
        }
    }

    func counts(_ request: CountRequest) async throws(PersistencyError) -> [Value: Int] {
        try await aggregates(AggregateRequest(request)).counts
    }
}

extension StoreFixture {
    static func misspelled(_ name: String, _ fault: @escaping @Sendable (String) -> String) -> StoreFixture {
        StoreFixture(name) { schemas, _ in
            MisspelledStore(try await SQLiteStore.open(.init(.memory), schemas: schemas), fault)
        }
    }
}

/// Changes the text of the statements that it runs.
private final class MisspelledSession: SQLSession {
    private let base: SQLiteConnection
    private let fault: @Sendable (String) -> String

    init(_ base: SQLiteConnection, _ fault: @escaping @Sendable (String) -> String) {
        (self.base, self.fault) = (base, fault)
    }

    var dialect: any SQLDefinitionDialect { base.dialect }
    var rowBuffer: RowBuffer {
        _read { yield base.rowBuffer }
        _modify { yield &base.rowBuffer }
    }
    var isInTransaction: Bool { base.isInTransaction }

    func isOverflow(_ error: PersistencyError) -> Bool { base.isOverflow(error) }

    func run(_ steps: [SQLStep<SQLiteStatement>]) throws(PersistencyError) {
        try base.run(steps.map { SQLStep(fault($0.text), $0.values, $0.evaluate) })
    }

    func inSnapshot(
        _ body: (_ begin: [SQLStep<SQLiteStatement>], _ commit: [SQLStep<SQLiteStatement>]) throws(PersistencyError)
            -> Void
    ) throws(PersistencyError) {
        try base.inSnapshot(body)
    }

    func copyLists(
        of owners: Range<Int>, _ plan: SQLTablePlan, _ content: ReadRequest.Content, end: [SQLStep<SQLiteStatement>]
    ) throws(PersistencyError) {
        try base.copyLists(of: owners, plan, content, end: end)
    }
}
