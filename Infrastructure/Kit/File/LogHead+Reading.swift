internal import LarderData
internal import LarderDomain

extension LogHead {
    /// Decodes the first record of a log; `nil` if it is malformed. Throws `incompatible` for a newer format.
    ///
    /// - Parameter declared: The schemas of the program.
    init?(_ reader: ValueReader, path: String, declared: SchemaSet?) throws(PersistencyError) {
        var reader = reader
        guard let format = try? reader.fixed(bytes: 4) else { return nil }
        guard format <= LogCodec.format else {
            throw .incompatible("\(path) is of format \(format), which is newer than \(LogCodec.format)")
        }
        // Leaves half of all numbers for later commits.
        guard let number = try? reader.fixed(), let sequence = Int64(exactly: number), sequence <= .max / 2,
            let lifetime = format < 5 ? 0 : try? reader.fixed(), let since = format < 5 ? 0 : try? reader.fixed(),
            let record = try? Self.readRecord(&reader, format: format)
        else { return nil }
        (self.sequence, self.format, self.record, self.lifetime) = (sequence, format, record, lifetime)
        completeSince = Timestamp(microseconds: Int64(bitPattern: since))
        if let declared, declared.items == record.items {
            schemas = declared
        } else {
            guard let recorded = try? SchemaShape(record.items).schemas() else { return nil }
            schemas = recorded
        }
        layouts = schemas.roots.map { LogLayout($0) }
    }

    private static func readRecord(
        _ reader: inout ValueReader, format: UInt64
    ) throws(MalformedBytes) -> SchemaRecord {
        var record = SchemaRecord(items: [], history: [])
        for _ in 0..<(try reader.countOfItems()) {
            let item =
                format < 3 ? try readText(&reader) : SchemaItem(try readValues(&reader, SchemaItem.fields.count))
            guard let item else { throw MalformedBytes() }
            record.items.append(item)
        }
        // Until format 2, defaults followed the items; the first versions did not record them.
        for _ in 0..<(format < 3 && !reader.isAtEnd ? try reader.countOfItems() : 0) {
            let index = try reader.count()
            guard index < record.items.count else { throw MalformedBytes() }
            record.items[index].defaultValue = try reader.value()
        }
        for _ in 0..<(format < 4 ? 0 : try reader.countOfItems()) {
            let values = try readValues(&reader, SchemaHistoryEntry.fields.count)
            guard let entry = SchemaHistoryEntry(values) else { throw MalformedBytes() }
            record.history.append(entry)
        }
        guard reader.isAtEnd else { throw MalformedBytes() }
        return record
    }

    private static func readValues(_ reader: inout ValueReader, _ count: Int) throws(MalformedBytes) -> [Value] {
        var values: [Value] = []
        for _ in 0..<count { values.append(try reader.value()) }
        return values
    }

    /// Reads an item of an earlier format.
    private static func readText(_ reader: inout ValueReader) throws(MalformedBytes) -> SchemaItem? {
        SchemaItem(
            entity: try reader.text(), kind: try reader.text(), name: try reader.text(), text: try reader.text())
    }
}
