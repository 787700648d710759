internal import LarderData
internal import LarderDomain

/// The record of a key in the base store, by which a lost or another key is noticed when the store is opened.
enum KeyRecord {
    static let schema = EntitySchema(
        name: "sealing_key", columns: [Column(name: "name", type: .text), Column(name: "proof", type: .blob)],
        uniques: [[0]])

    private static let text = Array("sealing key".utf8)
    private static let equalityPrefix = "equality "

    /// Checks the keys against the records, and records new keys.
    ///
    /// - Throws: `incompatible` for a recorded key that is missing, or has another value.
    static func check(_ keys: SealingKeys, _ base: any Store) async throws(PersistencyError) {
        // Another process may record the same key.
        let isRecorded = { (error: PersistencyError) in if case .duplicate = error { true } else { error.isLoss() } }
        try await RetryPolicy().repeating(while: isRecorded) { (_) async throws(PersistencyError) in
            let records = try await base.read(ReadRequest(schema)).items
            let names = Set(records.map { $0.values[0] })
            for record in records { try check(record, keys) }
            var missing = [keys.current.id].filter { !names.contains(.text($0)) }
            if let equality = keys.equality, !names.contains(.text(equalityPrefix + equality.id)) {
                missing.append(equalityPrefix + equality.id)
            }
            if missing.isEmpty { return }
            var changes = ChangeSet()
            for name in missing { changes.inserts.append(try record(name, keys)) }
            do throws(PersistencyError) {
                _ = try await base.commit(changes)
            } catch .unavailable(let cause) where cause.reason == .readOnly {}
        }
    }

    /// The records of keys that are not the current ones.
    static func older(than keys: SealingKeys, in base: any Store) async throws(PersistencyError) -> [StorageObject] {
        try await base.read(ReadRequest(schema)).items.filter { record in
            guard case .text(let name) = record.values[0] else { return false }
            return name != keys.current.id && !name.hasPrefix(equalityPrefix)
        }
    }

    private static func check(_ record: StorageObject, _ keys: SealingKeys) throws(PersistencyError) {
        guard case .text(let name) = record.values[0], case .blob(let proof) = record.values[1] else { return }
        if name.hasPrefix(equalityPrefix) {
            let id = name.dropFirst(equalityPrefix.count)
            guard let key = keys.equality, key.id == id else {
                throw .incompatible("the store has hashes by key '\(id)', which must be the key of equality")
            }
            guard key.cipher.hash(text, boundTo: Array(name.utf8)) == proof else { throw another(key.id) }
            return
        }
        guard let cipher = keys[name] else {
            throw .incompatible("the store has values that are sealed with key '\(name)', which is not among the keys")
        }
        guard (try? cipher.open(proof, boundTo: Array(name.utf8))) == text else { throw another(name) }
    }

    private static func another(_ id: String) -> PersistencyError {
        .incompatible("key '\(id)' is not the key of that name with which the store was sealed")
    }

    private static func record(_ name: String, _ keys: SealingKeys) throws(PersistencyError) -> StorageObject {
        let context = Array(name.utf8)
        let proof: [UInt8]
        do {
            proof =
                if name.hasPrefix(equalityPrefix), let key = keys.equality {
                    key.cipher.hash(text, boundTo: context)
                } else {
                    try keys.current.cipher.seal(text, boundTo: context)
                }
        } catch {
            throw .incompatible("key '\(name)' cannot be used: \(error)")
        }
        return StorageObject(
            schema: schema, id: UUIDv7Generator().next(), values: [.text(name), .blob(proof)])
    }
}
