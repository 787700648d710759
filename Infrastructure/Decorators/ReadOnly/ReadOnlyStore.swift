public import LarderData
public import LarderDomain

/// A decorator that refuses every commit, and features that can write.
public final class ReadOnlyStore: StoreDecorator {
    public let base: any Store

    /// Wraps a store; whoever uses it directly can still write.
    public init(_ base: any Store) {
        self.base = base
    }

    /// - Throws: `unavailable` (`readOnly`), always.
    public func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        throw .readOnly
    }

    public func lendAtOnce(
        _ id: RawID, of schema: EntitySchema, to body: RowVisitor
    ) throws(PersistencyError) -> LendAnswer {
        try base.lendAtOnce(id, of: schema, to: body)
    }

    /// A feature of the base that is a protocol of stores, such as `SelfCheckingStore`, or a decorator; `nil` for the
    /// base by its type, and for access that is not a store, such as raw SQL: both can write.
    public func feature<Feature>(_ type: Feature.Type) -> Feature? {
        if let own = self as? Feature { return own }
        guard let found = base.feature(type), found is any Store else { return nil }
        return type is AnyClass && !(found is any StoreDecorator) ? nil : found
    }
}
