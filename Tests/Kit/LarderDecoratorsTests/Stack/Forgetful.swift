import LarderData
import LarderDomain

/// A defect: it does not delete.
final class Forgetful: StoreDecorator {
    let base: any Store

    init(_ base: any Store) { self.base = base }

    func commit(_ changes: ChangeSet) async throws(PersistencyError) -> CommitReceipt {
        var changes = changes
        changes.deletes = []
        return try await base.commit(changes)
    }
}
