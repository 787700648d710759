public import LarderDomain

/// A store that adds a feature to another store, its base: observation, a cache, faults for tests.
///
/// A decorator implements only the members that it changes. All others are forwarded, including those with a default in
/// ``Store``, so that the base's implementation runs instead of the default. The exception is
/// ``Store/lendAtOnce(_:of:to:)``: a decorator that does not change reads by id forwards it itself.
public protocol StoreDecorator: Store {
    /// The decorated store.
    var base: any Store { get }
}

extension StoreDecorator {
    /// The identity of the base.
    public var identity: ObjectIdentifier { base.identity }

    public var traits: StoreTraits { base.traits }

    public var schemas: SchemaSet { base.schemas }

    public func withRows(
        _ ids: [RawID], of schema: EntitySchema, _ body: @escaping RowBody
    ) async throws(PersistencyError) {
        try await base.withRows(ids, of: schema, body)
    }

    public func withRows(
        _ request: ReadRequest, _ body: @escaping RowBody
    ) async throws(PersistencyError) -> PageEnd {
        try await base.withRows(request, body)
    }

    /// The counts of the base.
    public func counts(_ request: CountRequest) async throws(PersistencyError) -> [Value: Int] {
        try await base.counts(request)
    }

    /// The figures of the base.
    public func aggregates(_ request: AggregateRequest) async throws(PersistencyError) -> AggregateTable {
        try await base.aggregates(request)
    }

    public func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        try await base.commit(changes)
    }

    public func outcome(of id: CommitID) async throws(PersistencyError) -> CommitOutcome {
        try await base.outcome(of: id)
    }

    public func changes(after token: ChangeToken?) async -> AsyncStream<ChangeEvent> {
        await base.changes(after: token)
    }

    /// The decorator itself, if it has this type; otherwise the feature of the base.
    public func feature<Feature>(_ type: Feature.Type) -> Feature? { self as? Feature ?? base.feature(type) }

    public func close() async { await base.close() }
}
