internal import Crypto
internal import LarderData
internal import LarderDomain

extension AdoptedTable {
    /// The id of the row of a table with a key, the same in each run: a UUID of version 8 (RFC 9562, section 5.8).
    static func id(_ table: String, _ key: [String]) -> RawID {
        var hash = SHA256()
        for text in [table] + key { hash.update(data: Array(text.utf8) + [0]) }
        let id = RawID(firstOf: Array(hash.finalize()))
        return RawID(high: id.high & ~0xF000 | 0x8000, low: id.low & ~(0b11 << 62) | 0b10 << 62)
    }

    /// The object without the columns and lists that are set later.
    func withoutLater(_ object: StorageObject) -> StorageObject {
        var earlier = object
        for (index, column) in schema.columns.enumerated() where later.contains(column.name) {
            earlier.values[index] = .null
        }
        for (index, list) in schema.links.enumerated() where later.contains(list.name) { earlier.links[index] = [] }
        return earlier
    }

    /// A digest of the adopted values of an object.
    func digest(of object: StorageObject) -> UInt128 {
        var writer = ValueWriter()
        writer.append(object.id)
        for (index, column) in schema.columns.enumerated() where columns[column.name] != nil {
            writer.append(object.values[index])
        }
        for (index, list) in schema.links.enumerated() where links[list.name] != nil {
            writer.append(object.links[index].count)
            for id in object.links[index] { writer.append(id) }
        }
        return SHA256.hash(data: writer.bytes).prefix(16).reduce(0) { $0 << 8 | UInt128($1) }
    }
}
