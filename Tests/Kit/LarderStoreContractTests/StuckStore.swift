import LarderData
import LarderDomain
import LarderInfrastructure
import Synchronization

/// A memory store with one kind of call that never ends, also if its task is cancelled.
final class StuckStore: StoreDecorator {
    enum Call: CaseIterable {
        case read, commit, close
    }

    let base: any Store
    private let call: Call
    private let stuck = Stuck()

    init(_ schemas: SchemaSet, in call: Call) {
        base = MemoryStore(schemas)
        self.call = call
    }

    func withRows(
        _ ids: [RawID], of schema: EntitySchema, _ body: @escaping RowBody
    ) async throws(PersistencyError) {
        await stick(in: .read)
        try await base.withRows(ids, of: schema, body)
    }

    func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        await stick(in: .commit)
        return try await base.commit(changes)
    }

    func close() async {
        await stick(in: .close)
        await base.close()
    }

    private func stick(in call: Call) async {
        if call == self.call { await stuck.wait() }
    }
}

/// Waits that never end, also if their tasks are cancelled.
final class Stuck: Sendable {
    /// The callers. A continuation must not be released.
    private let callers = Mutex<[CheckedContinuation<Void, Never>]>([])

    func wait() async {
        await withCheckedContinuation { continuation in callers.withLock { $0.append(continuation) } }
    }
}
