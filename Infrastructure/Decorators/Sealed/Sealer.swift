internal import LarderData
internal import LarderDomain

/// Encrypts and decrypts single values.
///
/// A sealed value consists of a format byte, the length and the bytes of the key's id, and the output of the cipher. The
/// cipher's context consists of the format, the key's id, the entity, the id and the column, so that a value cannot be
/// moved to another place undetected.
struct Sealer: Sendable {
    private static let format: UInt8 = 1

    let keys: SealingKeys

    /// The value in the base store. `null` is not encrypted.
    func seal(
        _ value: Value, _ column: Int, of id: RawID, _ schema: EntitySchema
    ) throws(PersistencyError) -> Value {
        if value == .null { return .null }
        var plain = ValueWriter()
        plain.append(value)
        let key = keys.current
        let context = Self.context(key.id, schema.name, id, schema.columns[column].name)
        do {
            return .blob(Self.header(key.id) + (try key.cipher.seal(plain.bytes, boundTo: context)))
        } catch {
            throw schema.refusal(of: column, id, "cannot be encrypted with key '\(key.id)': \(error)")
        }
    }

    /// - Throws: `invalid`, with entity, id and column, for a value that was not sealed for this place with a known key.
    func open(
        _ sealed: Value, _ column: Int, of id: RawID, _ schema: EntitySchema
    ) throws(PersistencyError) -> Value {
        if sealed == .null { return .null }
        guard case .blob(let bytes) = sealed, let keyID = Self.keyID(bytes) else {
            throw schema.refusal(of: column, id, "is not a sealed value")
        }
        guard let cipher = keys[keyID] else {
            throw schema.refusal(of: column, id, "is sealed with key '\(keyID)', which is not among the keys")
        }
        let text = Array(bytes[(2 + keyID.utf8.count)...])
        let current = Self.context(keyID, schema.name, id, schema.columns[column].name)
        let plain = try? cipher.open(text, boundTo: current)
        if let plain = plain ?? openedFormerly(text, cipher, keyID, column, id, schema) {
            var reader = ValueReader(plain)
            if let value = try? reader.value(), reader.isAtEnd, schema.columnTypes[column].accepts(value) {
                return value
            }
            throw schema.refusal(of: column, id, "is not of type \(schema.columns[column].type)")
        }
        throw schema.refusal(
            of: column, id, "was changed or moved since it was sealed, or key '\(keyID)' is another key of that name")
    }

    /// Decrypts a value that was sealed before its entity or column was renamed.
    private func openedFormerly(
        _ text: [UInt8], _ cipher: any Cipher, _ keyID: String, _ column: Int, _ id: RawID, _ schema: EntitySchema
    ) -> [UInt8]? {
        schema.formerNames(ofColumn: column).lazy.compactMap { entity, name in
            try? cipher.open(text, boundTo: Self.context(keyID, entity, id, name))
        }.first
    }

    /// The value of the hash column; `null` for `null`.
    func hash(_ value: Value, _ column: Int, _ schema: EntitySchema) -> Value {
        guard value != .null, let key = keys.equality else { return .null }
        var (plain, context) = (ValueWriter(), ValueWriter())
        // A condition may have a negative zero, which equals the stored zero and has other bytes.
        plain.append(value == .real(0) ? .real(0) : value)
        context.append(schema.name)
        context.append(schema.columns[column].name)
        return .blob(key.cipher.hash(plain.bytes, boundTo: context.bytes))
    }

    /// Whether a value in the base store is sealed with the current key, or `null`.
    func isCurrent(_ sealed: Value) -> Bool {
        guard case .blob(let bytes) = sealed else { return sealed == .null }
        return Self.keyID(bytes) == keys.current.id
    }

    static func header(_ keyID: String) -> [UInt8] { [format, UInt8(keyID.utf8.count)] + keyID.utf8 }

    private static func keyID(_ bytes: [UInt8]) -> String? {
        guard bytes.count > 2, bytes[0] == format, bytes.count > 2 + Int(bytes[1]) else { return nil }
        let id = bytes[2..<2 + Int(bytes[1])]
        return id.allSatisfy(\.isKeyID) ? String(decoding: id, as: UTF8.self) : nil
    }

    static func context(_ keyID: String, _ entity: String, _ id: RawID, _ column: String) -> [UInt8] {
        var context = ValueWriter()
        context.bytes.reserveCapacity(20 + keyID.utf8.count + entity.utf8.count + column.utf8.count)
        context.append(format)
        for text in [keyID, entity, column] { context.append(text) }
        context.append(id)
        return context.bytes
    }
}

extension EntitySchema {
    /// The names of the entity and of a column, before they were renamed: a value is bound to the names at the time at
    /// which it was sealed.
    fileprivate func formerNames(ofColumn column: Int) -> [(entity: String, column: String)] {
        let name = columns[column].name
        let names = [name] + (hints.formerMembers[name] ?? [])
        return Array(([self.name] + hints.formerNames).flatMap { entity in names.map { (entity, $0) } }.dropFirst())
    }

    func refusal(of column: Int, _ id: RawID, _ reason: String) -> PersistencyError {
        .invalid(InvalidField(entity: name, id: id, field: columns[column].name, reason: reason))
    }
}
