public import LarderData
public import LarderDomain

extension FileStore: RenewableStore {
    /// Rewrites the log, and closes the store.
    ///
    /// - Throws: `unavailable`: `full` if the device has no space for both logs; the old log remains.
    public nonisolated func renew() async throws(PersistencyError) {
        try await thread.run { () throws(PersistencyError) in
            try writer.rewrite { engine throws(PersistencyError) in try engine.renew() }
        }
        await close()
    }
}
