public import LarderData
internal import LarderDecorators

extension StoreSettings {
    /// Encrypts the values of sealed columns that older keys encrypt again, with the first key of the settings, and deletes
    /// the records of the older keys.
    ///
    /// - Returns: The number of roots that were written.
    /// - Throws: `CommandFailure` for a service without sealed columns, a missing store, or missing keys; the errors of
    ///   opening and of `SealedStore.rotateKeys(of:pageSize:retry:)`.
    /// - Complexity: O(*n*) for *n* roots with sealed columns, a page of them in memory.
    public func rotateKeys(_ schemas: SchemaSet) async throws -> Int {
        guard schemas.roots.contains(where: { $0.sealedColumn != nil }) else {
            throw CommandFailure(
                .usage, "no column of the service is sealed",
                advice: "'passphrase' changes the passphrase of a store that is sealed as a whole.")
        }
        if try await isNew(stored(schemas)) {
            throw CommandFailure(
                .notFound, "no store exists at \(location)", advice: "Check --store or \(Setting.store.variable).")
        }
        let store = try await open(schemas)
        do {
            let count = try await SealedStore.rotateKeys(of: store)
            await store.close()
            return count
        } catch {
            await store.close()
            throw error
        }
    }
}
