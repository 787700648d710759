public import LarderData
public import LarderDomain

/// A decorator that refuses every commit.
public final class ReadOnlyStore: StoreDecorator {
    public let base: any Store

    public init(_ base: any Store) {
        self.base = base
    }

    /// - Throws: `unavailable` (`readOnly`), always.
    public func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        throw .unavailable(Unavailable(.readOnly, "the store is open for reading only"))
    }

    public func lendAtOnce(
        _ id: RawID, of schema: EntitySchema, to body: RowVisitor
    ) throws(PersistencyError) -> LendAnswer {
        try base.lendAtOnce(id, of: schema, to: body)
    }
}
