internal import LarderData
internal import LarderDomain

/// A list of ids bound as one blob, 16 bytes each, so that one statement accepts a list of any length.
struct SQLPackedIDs {
    let placeholder: String

    /// Defines `ids`, the table of the list's offsets in bytes; precedes `SELECT`.
    var with: String {
        "WITH RECURSIVE ids (i) AS (SELECT 0 WHERE length(\(placeholder)) > 0 "
            + "UNION ALL SELECT i + 16 FROM ids WHERE i + 16 < length(\(placeholder)))"
    }

    var id: String { "substr(\(placeholder), ids.i + 1, 16)" }

    /// The index of an id in the list, from 0.
    static let number = "ids.i / 16"

    /// Selects the rows of a table whose column equals an id of the list bound as the first value.
    static func join(_ columns: String, from table: String, on column: String) -> String {
        let list = SQLPackedIDs(placeholder: "?1")
        // The list precedes the table: SQLite then searches the table's index once for each id.
        return "\(list.with) SELECT \(columns) FROM ids CROSS JOIN \(SQLText.quoted(table)) AS t0 "
            + "WHERE t0.\(SQLText.quoted(column)) = \(list.id)"
    }
}

extension RawID {
    /// Concatenated ids, 16 bytes each.
    static func packed(_ ids: some Collection<RawID>) -> [UInt8] {
        // An array without capacity is the library's shared empty one, whose count the initializer below would write.
        if ids.isEmpty { return [] }
        return unsafe [UInt8](unsafeUninitializedCapacity: ids.count * 16) { buffer, count in
            let raw = UnsafeMutableRawBufferPointer(buffer)
            for id in ids {
                unsafe raw.storeBytes(of: id.high.bigEndian, toByteOffset: count, as: UInt64.self)
                unsafe raw.storeBytes(of: id.low.bigEndian, toByteOffset: count + 8, as: UInt64.self)
                count += 16
            }
        }
    }
}
