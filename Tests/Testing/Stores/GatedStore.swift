public import LarderData
public import LarderDomain
internal import Synchronization

/// A store whose commits a test can delay or let fail, and whose reads it can count.
public final class GatedStore: StoreDecorator {
    /// Each commit passes this gate.
    public let gate = Gate()
    public let base: any Store
    private let sequence = Mutex<Int64>(0)
    private let failure = Mutex<PersistencyError?>(nil)
    private let readCount = Mutex(0)

    /// Decorates a store.
    public init(_ base: any Store) {
        self.base = base
    }

    /// The error of every commit; `nil` for none.
    public var commitFailure: PersistencyError? {
        get { failure.withLock(\.self) }
        set { failure.withLock { $0 = newValue } }
    }

    /// The number of reads and queries.
    public var reads: Int { readCount.withLock(\.self) }

    /// The position of the last commit that changed something.
    public var lastSequence: Int64 { sequence.withLock(\.self) }

    public func withRows(
        _ ids: [RawID], of schema: EntitySchema, _ body: @escaping RowBody
    ) async throws(PersistencyError) {
        readCount.withLock { $0 += 1 }
        try await base.withRows(ids, of: schema, body)
    }

    public func withRows(_ request: ReadRequest, _ body: @escaping RowBody) async throws(PersistencyError) -> PageEnd {
        readCount.withLock { $0 += 1 }
        return try await base.withRows(request, body)
    }

    public func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        await gate.pass()
        if let commitFailure { throw commitFailure }
        let receipt = try await base.commit(changes)
        if !changes.inserts.isEmpty || !changes.updates.isEmpty || !changes.deletes.isEmpty {
            sequence.withLock { $0 = max($0, receipt.token.position) }
        }
        return receipt
    }
}
