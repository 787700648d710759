internal import LarderData
internal import LarderDomain

extension SQLiteDialect {
    func unpackedIDs(_ placeholder: String) -> SQLUnpacked {
        SQLUnpacked(
            with: "WITH RECURSIVE ids (i) AS (SELECT 0 WHERE length(\(placeholder)) > 0 "
                + "UNION ALL SELECT i + 16 FROM ids WHERE i + 16 < length(\(placeholder)))",
            source: "ids", number: "ids.i / 16", value: "substr(\(placeholder), ids.i + 1, 16)")
    }

    /// Ids stand one after the other; other values as ten digits for their length, then their bytes. A real number has
    /// no text that SQLite is sure to read as the same number.
    func list(_ values: [Value], _ kind: SQLKind, placeholder: String) -> (selection: String, value: Value)? {
        let type: String
        switch kind {
        case .real: return nil
        case .id:
            let unpacked = unpackedIDs(placeholder)
            let ids = values.map { if case .id(let id) = $0 { id } else { RawID(high: 0, low: 0) } }
            return ("\(unpacked.with) SELECT \(unpacked.value) FROM \(unpacked.source)", .blob(RawID.packed(ids)))
        case .integer: type = "INTEGER"
        case .text: type = "TEXT"
        case .blob: type = "BLOB"
        }
        var bytes: [UInt8] = []
        for value in values {
            let element = Self.bytes(of: value)
            let digits = String(element.count).utf8
            bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: 10 - digits.count))
            bytes.append(contentsOf: digits)
            bytes.append(contentsOf: element)
        }
        func length(_ start: String) -> String { "CAST(substr(\(placeholder), \(start), 10) AS INTEGER)" }
        let selection =
            "WITH RECURSIVE list (i, n) AS (SELECT 11, \(length("1")) UNION ALL SELECT i + n + 10, \(length("i + n")) "
            + "FROM list WHERE i + n < length(\(placeholder))) SELECT CAST(substr(\(placeholder), i, n) AS \(type)) FROM list"
        return (selection, .blob(bytes))
    }

    private static func bytes(of value: Value) -> [UInt8] {
        switch value {
        case .integer(let integer): Array(String(integer).utf8)
        case .text(let text): Array(text.utf8)
        case .blob(let bytes): bytes
        case .null, .real, .id: []
        }
    }
}

extension RawID {
    /// The 16 bytes.
    var bytes: [UInt8] { RawID.packed([self]) }

    /// Ids one after the other, 16 bytes each.
    static func packed(_ ids: some Collection<RawID>) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: ids.count * 16) { buffer, count in
            let raw = UnsafeMutableRawBufferPointer(buffer)
            for id in ids {
                unsafe raw.storeBytes(of: id.high.bigEndian, toByteOffset: count, as: UInt64.self)
                unsafe raw.storeBytes(of: id.low.bigEndian, toByteOffset: count + 8, as: UInt64.self)
                count += 16
            }
        }
    }
}
