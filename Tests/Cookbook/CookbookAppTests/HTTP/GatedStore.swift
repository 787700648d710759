import LarderData
import LarderDomain
import LarderInfrastructure
import Synchronization

/// A store whose commits a test can hold back, or let fail, and that counts how often it is read.
final class GatedStore: StoreDecorator {
    let gate = Gate()
    let base: any Store
    private let sequence = Mutex<Int64>(0)
    private let failure = Mutex<PersistencyError?>(nil)
    private let readCount = Mutex(0)

    init(_ base: any Store) {
        self.base = base
    }

    /// What every commit fails with; `nil` for none.
    var commitFailure: PersistencyError? {
        get { failure.withLock(\.self) }
        set { failure.withLock { $0 = newValue } }
    }

    /// How often something was read or asked.
    var reads: Int { readCount.withLock(\.self) }

    /// The number of the last commit.
    var lastSequence: Int64 { sequence.withLock(\.self) }

    func withRows(
        _ ids: [RawID], of schema: EntitySchema, _ body: @escaping RowBody
    ) async throws(PersistencyError) {
        readCount.withLock { $0 += 1 }
        try await base.withRows(ids, of: schema, body)
    }

    func withRows(_ request: ReadRequest, _ body: @escaping RowBody) async throws(PersistencyError) -> PageEnd {
        readCount.withLock { $0 += 1 }
        return try await base.withRows(request, body)
    }

    func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        await gate.pass()
        if let commitFailure { throw commitFailure }
        let receipt = try await base.commit(changes)
        if !changes.inserts.isEmpty || !changes.updates.isEmpty || !changes.deletes.isEmpty {
            sequence.withLock { $0 = max($0, receipt.token.position) }
        }
        return receipt
    }
}
