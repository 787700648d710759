internal import LarderData
internal import LarderDomain

/// The copy of one table.
struct TableCopy {
    /// The rows and the bytes of their texts that one commit has at most.
    static let (greatestCount, greatestSize) = (500, 8 << 20)

    let table: AdoptedTable
    let source: SourceDatabase
    let manager: any PersistencyManager
    var (rows, copied, unchanged, changed) = (0, 0, 0, 0)
    /// The ids of new rows whose references are set later.
    var created: Set<RawID> = []
    var refused: Set<RawID> = []
    var unreadable = 0
    var (found, stored) = (0, 0)
    /// The rows of each joined table, and the links in the store.
    var links: [String: (rows: Int, found: Int)] = [:]
    /// The sums of the digests of rows as they were copied, as they are read again, and as the store has them.
    var (first, again, kept): (UInt128, UInt128, UInt128) = (0, 0, 0)

    init(_ table: AdoptedTable, from source: SourceDatabase, to manager: any PersistencyManager) {
        (self.table, self.source, self.manager) = (table, source, manager)
    }

    /// The entities of the store that are no rows of the source.
    var others: Int { stored - found }
    var isComplete: Bool {
        refused.isEmpty && unreadable == 0 && isEqual && links.values.allSatisfy { $0.rows == $0.found }
    }
    var isEqual: Bool {
        again == kept && first == again && found == rows - refused.count - unreadable
    }

    /// Saves the rows. If some references are set later, creates only missing rows, without these references.
    mutating func first() async throws {
        guard !table.later.isEmpty else { return try await save() }
        func missing<Mapper: EntityMapper>(_ mapper: Mapper.Type, _ copy: inout TableCopy, _ batch: [Row]) async throws
        {
            let known = Set(
                try await copy.manager.read(batch.map { EntityID<Mapper.Model>($0.object.id) }).map(\.id.rawValue))
            let new = batch.filter { !known.contains($0.object.id) }.map { row in
                Row(key: row.key, object: copy.table.withoutLater(row.object))
            }
            // A row that is refused here is refused again when it is saved.
            try await copy.save(new, mapper) { copy, row, result in
                if case .success = result { copy.created.insert(row.object.id) }
            }
        }
        func opened(_ copy: inout TableCopy, _ batch: [Row]) async throws {
            try await missing(copy.table.mapper, &copy, batch)
        }
        try await forEachBatch(reports: false, opened)
    }

    /// Saves all rows completely.
    mutating func save() async throws {
        func save<Mapper: EntityMapper>(_ mapper: Mapper.Type, _ copy: inout TableCopy, _ batch: [Row]) async throws {
            try await copy.save(batch, mapper) { copy, row, result in
                switch result {
                case .success(let outcome):
                    copy.first &+= copy.table.digest(of: row.object)
                    if outcome == .inserted || copy.created.contains(row.object.id) {
                        copy.copied += 1
                    } else if outcome == .updated {
                        copy.changed += 1
                    } else {
                        copy.unchanged += 1
                    }
                case .failure(let error):
                    copy.refused.insert(row.object.id)
                    copy.report(row.key.joined(separator: ", "), error.column, error.reason)
                }
            }
        }
        func opened(_ copy: inout TableCopy, _ batch: [Row]) async throws {
            try await save(copy.table.mapper, &copy, batch)
        }
        try await forEachBatch(reports: true, opened)
    }

    struct Row {
        let key: [String]
        let object: StorageObject
    }
}
