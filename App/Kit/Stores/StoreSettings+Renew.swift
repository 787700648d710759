public import LarderData
internal import LarderDomain

extension StoreSettings {
    /// Begins a new lifetime of the store's tokens.
    ///
    /// - Throws: `CommandFailure` for a store that does not exist, is in memory, or is composed; `PersistencyError` as for
    ///   opening, and as `RenewableStore.renew()`.
    public func renew(_ schemas: SchemaSet) async throws {
        try checkDurable()
        guard try await !isNew(schemas) else {
            throw CommandFailure(
                .notFound, "no store exists at \(location)", advice: "Check --store or \(Setting.store.variable).")
        }
        var settings = self
        settings.purpose = "being renewed"
        let store = try await settings.openBase(stored(schemas))
        do {
            try await store.feature((any RenewableStore).self)?.renew()
        } catch {
            await store.close()
            throw error
        }
        await store.close()
    }
}
