package import LarderData
package import LarderDomain

/// The schema that a store has recorded with its data, and the changes that led to it.
package struct SchemaRecord: Sendable {
    package var items: [SchemaItem]
    package var history: [SchemaHistoryEntry]

    /// The version of the recorded schema. Stores of earlier formats recorded none.
    package var version: Int { history.last?.version ?? 1 }

    /// The lowest version of a program that may open the store.
    var minimum: Int { history.map(\.refusesBefore).max() ?? 1 }

    /// The record of a new store.
    package init(creating schemas: SchemaSet, at time: Timestamp) {
        items = schemas.items
        history = [schemas.historyEntry(at: time, summary: "created")]
    }

    package init(items: [SchemaItem], history: [SchemaHistoryEntry]) {
        (self.items, self.history) = (items, history)
    }
}

/// The recorded form of an entry: a value for each field.
extension SchemaHistoryEntry {
    package static let fields: [(name: String, type: ColumnType?)] = [
        ("version", .integer), ("step", .text), ("checksum", .text), ("refuses_before", .integer),
        ("applied_at", .timestamp), ("summary", .text),
    ]

    package var values: [Value] {
        [
            .integer(Int64(version)), .text(step), .text(checksum), .integer(Int64(refusesBefore)),
            .integer(time.microseconds), .text(summary),
        ]
    }

    /// - Returns: `nil` for values that no version of this program has written.
    package init?(_ values: [Value]) {
        guard values.count == Self.fields.count, case .integer(let version) = values[0],
            case .text(let step) = values[1],
            case .text(let checksum) = values[2], case .integer(let refusesBefore) = values[3],
            case .integer(let time) = values[4], case .text(let summary) = values[5],
            let version = Int(exactly: version), let refusesBefore = Int(exactly: refusesBefore)
        else { return nil }
        self.init(
            version: version, step: step, checksum: checksum, refusesBefore: refusesBefore,
            time: Timestamp(microseconds: time), summary: summary)
    }
}

extension SchemaSet {
    /// The entry for a change to these schemas.
    func historyEntry(at time: Timestamp, summary: String) -> SchemaHistoryEntry {
        let declaration = roots.map(\.declaration).joined(separator: "\n")
        return SchemaHistoryEntry(
            version: evolution.version, step: "", checksum: declaration.checksum, refusesBefore: 1, time: time,
            summary: summary)
    }
}

extension MigrationStep {
    var checksum: String { declaration.checksum }
}

extension String {
    fileprivate var checksum: String {
        let bytes = Array(utf8)
        return CRC32C(bytes, bytes.indices).value.allDigits
    }
}
