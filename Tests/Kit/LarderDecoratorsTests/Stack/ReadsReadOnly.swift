import LarderData
import LarderDecorators
import LarderDomain

/// Answers all calls but commits by a read-only store, so that the laws of reads apply to it.
final class ReadsReadOnly: StoreDecorator {
    let base: any Store
    private let written: any Store

    init(_ store: any Store) { (base, written) = (ReadOnlyStore(store), store) }

    func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        try await written.commit(changes)
    }

    func lendAtOnce(
        _ id: RawID, of schema: EntitySchema, to body: RowVisitor
    ) throws(PersistencyError) -> LendAnswer {
        try base.lendAtOnce(id, of: schema, to: body)
    }
}
