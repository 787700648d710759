public import LarderData
internal import LarderDomain

/// Checks whether a store reads and writes, without changing it.
///
/// The probe reads a root that does not exist, and commits an update of a root that does not exist. Every store refuses
/// this commit with `conflict` after it has started to write. This proves that the store is open and responds, that its
/// index is readable, that the write lock is available within the store's timeout, and that a write transaction can
/// begin, execute a statement and roll back. An empty commit finds out that the journal accepts commits. On SQLite, these are `BEGIN IMMEDIATE`, an `UPDATE` that finds no row, and
/// `ROLLBACK`; no page and no byte is written.
///
/// If the store has files, their paths must still name the open files: a deleted or replaced file accepts commits, and
/// loses them when the process ends.
///
/// The probe does not prove that the device has space, because a rollback writes nothing to it. The result therefore
/// includes the trouble of the last real commit, where it is known.
public struct StoreProbe: Sendable {
    private let store: any Store
    private let commitTrouble: @Sendable () -> Unavailable?

    /// Probes the base of the observed store, so that probes do not count as operations and conflicts of the service.
    public init(_ observed: ObservedStore) {
        store = observed.base
        commitTrouble = { observed.commitTrouble }
    }

    /// Probes a store; the trouble of its commits is not known.
    public init(_ store: any Store) {
        self.store = store
        commitTrouble = { nil }
    }

    /// The result of a probe.
    struct Finding: Sendable {
        let health: StoreHealth
        /// The error behind the health, for the log.
        let cause: String?

        init(_ health: StoreHealth, _ cause: PersistencyError? = nil) {
            self.health = health
            self.cause = cause?.description
        }
    }

    /// Probes once.
    public func health() async -> StoreHealth { await look().health }

    /// Probes once, with the cause for the log.
    func look() async -> Finding {
        // A store without schemas has no data that could be read.
        guard let schema = store.schemas.roots.first else { return Finding(.writable) }
        let key = EntityKey(schema, RawID(high: .random(in: .min ... .max), low: .random(in: .min ... .max)))
        do {
            try await store.feature((any FileBackedStore).self)?.checkFiles()
            _ = try await store.read(key.id, of: schema)
        } catch {
            return Finding(.unusable(error.outcome), error)
        }
        let trouble = await writeTrouble(key)
        switch trouble {
        case nil:
            guard let last = commitTrouble() else { return Finding(.writable) }
            return Finding(.readOnly(last.reason.outcome), .unavailable(last))
        case .unavailable(let known) where known.reason.leavesReads:
            return Finding(.readOnly(known.reason.outcome), trouble)
        case .some(let error): return Finding(.unusable(error.outcome), error)
        }
    }

    /// The error that prevents the store from writing.
    private func writeTrouble(_ key: EntityKey) async -> PersistencyError? {
        let update = ChangeSet(updates: [RootUpdate(key, expected: 1, changes: ObjectChanges())])
        do throws(PersistencyError) {
            _ = try await store.commit(update)
        } catch {
            guard case .conflict = error else { return error }
        }
        // The end of the journal, for which the receipts of commits wait.
        do throws(PersistencyError) { _ = try await store.commit(ChangeSet()) } catch { return error }
        return nil
    }
}

extension Unavailable.Reason {
    /// Whether a store that cannot write for this reason still reads correctly.
    fileprivate var leavesReads: Bool {
        switch self {
        case .busy, .full, .readOnly, .tooLarge: true
        case .closed, .unreachable, .failed: false
        }
    }
}
