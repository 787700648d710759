public import LarderData
public import LarderDomain

extension FileStore {
    /// The passphrase of a sealed log, and the derivation of its key.
    public struct Sealing: Sendable {
        /// The passphrase, which is stored nowhere.
        public let passphrase: Passphrase
        /// The function that derives the key of the log from the passphrase.
        public let derivation: any KeyDerivation

        /// Seals with a key that is derived from a passphrase.
        public init(_ passphrase: Passphrase, _ derivation: any KeyDerivation) {
            (self.passphrase, self.derivation) = (passphrase, derivation)
        }
    }

    /// Seals a plain log, gives a sealed one another passphrase, or removes its seal.
    ///
    /// The records are copied to a new log with a new key, which is synced and then replaces the old one. Copies that earlier
    /// migrations and recoveries have made keep their passphrase. The storage of a deleted file may remain readable on
    /// the device.
    ///
    /// - Parameters:
    ///   - folder: The folder of the store. No process may have it open.
    ///   - old: The passphrase of the log, or `nil` if it is plain.
    ///   - new: The new passphrase, or `nil` for a plain log.
    /// - Throws: `unavailable`, with a `PassphraseError` as its cause for an old passphrase that does not open the log;
    ///   `alreadyOpen`. The log is unchanged then.
    /// - Complexity: O(*n*) time for a log of *n* bytes, with one record in memory, and twice its space.
    public static func changePassphrase(
        inFolder folder: String, from old: Sealing?, to new: Sealing?
    ) async throws(PersistencyError) {
        try await StoreThread(label: "store.file.passphrase").run { () throws(PersistencyError) in
            try LogPlace(folder, POSIXFileSystem()).changeSeal(
                from: old, to: new.map { sealing throws(PersistencyError) in try LogSeal(sealing) },
                salt: .random(in: .min ... .max))
        }
    }
}

extension LogPlace {
    func changeSeal(from old: FileStore.Sealing?, to new: LogSeal?, salt: UInt64) throws(PersistencyError) {
        try existingLog().checkNames(log)
        let lock = try fileSystem.lock(self.lock, purpose: "changing the passphrase")
        try withExtendedLifetime(lock) { () throws(PersistencyError) in
            let file = try fileSystem.open(log)
            var checked = try LogWalk(file, path: log, sealing: old)
            while try checked.nextContent() != nil {}
            let marker = try readMarker()
            let end = checked.end
            if let marker, marker != LogMarker(end, sequence: marker.sequence) {
                throw LogDamage(path: log, offset: min(marker.length, end.length)).persistencyError
            }
            try fileSystem.removeIfThere(self.marker)
            try fileSystem.syncFolder(folder)
            var walk = try LogWalk(file, path: log, sealing: old)
            var sealed = try LogAppender.replacing(self, salt: salt, seal: new) { draft throws(PersistencyError) in
                while let (frame, content) = try walk.nextContent() {
                    var writer = ValueWriter.record
                    writer.append(content: content.rest)
                    try draft.write(frame.kind, writer)
                }
            }
            if let marker { sealed.close(after: marker.sequence) }
        }
    }
}

extension LogWalk {
    /// Moves to the next record; `nil` after the last one. Throws `unavailable` for a torn end, because only an opening
    /// may drop it.
    fileprivate mutating func nextContent() throws(PersistencyError) -> (frame: RecordFrame, content: ValueReader)? {
        switch try next() {
        case .head, .record: return current
        case .end: return nil
        case .torn:
            throw .failed("\(path) ends with a torn record: open the store once, and try again")
        case .damage: throw LogDamage(path: path, offset: end.length).persistencyError
        }
    }
}
