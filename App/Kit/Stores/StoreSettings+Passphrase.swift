public import LarderData
internal import LarderInfrastructure

extension StoreSettings {
    /// Gives the store another passphrase than the one of the settings, seals a plain store, or removes its seal.
    ///
    /// - Parameter new: The new passphrase; `nil` for a plain store.
    /// - Throws: `CommandFailure` for a store that does not exist or cannot be sealed; `PersistencyError` as
    ///   `changePassphrase` of the store, which is unchanged then.
    /// - Complexity: O(*n*) time, and twice the space of the store.
    public func changePassphrase(to new: Passphrase?) async throws {
        try checkSingle()
        if location.kind == "sqlite" || location.kind == "file", location.missingPath != nil {
            throw CommandFailure(
                .notFound, "no store exists at \(location)", advice: "Check --store or \(Setting.store.variable).")
        }
        switch location {
        case .sqlite(let path):
            try await SQLiteStore.changePassphrase(ofDatabase: path, from: secrets.passphrase, to: new)
        case .file(let folder):
            try await FileStore.changePassphrase(
                inFolder: folder, from: secrets.sealing, to: new.map { .init($0, ScryptDerivation()) })
        case .memory, .postgres, .mirrored, .readOnly:
            throw CommandFailure(
                .usage, "a passphrase seals sqlite: and file: stores only", advice: "Choose another store with --store."
            )
        }
    }
}
