import LarderData
import LarderDomain

@testable import LarderInfrastructure
@testable import LarderInfrastructureTests

/// The commits of a workload, computed independently of the store. The store must have the same contents.
struct ProofModel: Sendable, Hashable {
    struct Row: Sendable, Hashable {
        var version: Int64
        var letter: Character
        var length: Int
        /// The value of a column that a later schema declares.
        var count: Int64

        var text: String { String(repeating: letter, count: length) }
    }

    private(set) var sequence = 0
    private(set) var rows: [Int: Row] = [:]

    /// The change set for these edits, and the model after it: no model if it must be refused, `nil` if it changes
    /// nothing.
    func applying(_ edits: [ProofEdit], declared schema: Int) -> (changes: ChangeSet, after: ProofModel?)? {
        var (changes, after, isRefused) = (ChangeSet(), self, false)
        var touched: Set<Int> = []
        for edit in edits where touched.insert(edit.id).inserted {
            let old = rows[edit.id]
            switch edit {
            case .put(let id, let letter, let length):
                guard old?.letter != letter || old?.length != length else { continue }
                let count = schema > 0 ? Int64(length) : old?.count ?? 7
                let new = Row(version: (old?.version ?? 0) + 1, letter: letter, length: length, count: count)
                after.rows[id] = new
                let object = ProofSchemas.object(id, new, declared: schema)
                if let old {
                    changes.updates.append(object.update(from: ProofSchemas.object(id, old, declared: schema)))
                } else {
                    changes.inserts.append(object.unsaved)
                }
            case .drop(let id):
                guard let old else { continue }
                after.rows[id] = nil
                changes.deletes.append(ProofSchemas.object(id, old, declared: schema).expecting(old.version))
            case .stale(let id):
                var seen = old ?? Row(version: 0, letter: "?", length: 1, count: 7)
                seen.version += 5
                changes.deletes.append(ProofSchemas.object(id, seen, declared: schema).expecting(seen.version))
                isRefused = true
            }
        }
        if changes.isEmpty { return nil }
        after.sequence += 1
        let texts = Set(after.rows.values.map { "\($0.letter)\($0.length)" })
        return (changes, isRefused || texts.count < after.rows.count ? nil : after)
    }

    /// A hash of the model, comparable with ``LogEngine/digest(declared:)``.
    func digest(declared schema: Int) -> Int {
        var hasher = Hasher()
        hasher.combine(sequence)
        for (id, row) in rows.sorted(by: { $0.key < $1.key }) {
            hasher.combine(UInt64(id))
            hasher.combine(row.version)
            hasher.combine(row.text)
            if schema > 0 { hasher.combine(row.count) }
        }
        return hasher.finalize()
    }
}

extension LogEngine {
    /// A hash of the log's state.
    func digest(declared schema: Int) -> Int {
        var hasher = Hasher()
        hasher.combine(Int(state.sequence))
        for root in roots(schema == ProofSchemas.covers ? Sample.cover : ProofSchemas.items[schema]) {
            hasher.combine(root.id.low)
            hasher.combine(root.version)
            for value in root.values {
                switch value {
                case .text(let text): hasher.combine(text)
                case .integer(let number): hasher.combine(number)
                default: hasher.combine(value)
                }
            }
        }
        return hasher.finalize()
    }
}

extension StorageObject {
    fileprivate var unsaved: StorageObject {
        var object = self
        object.version = 0
        return object
    }
}

/// The versions of one schema, which is small to keep logs short, and which grows while a workload runs.
enum ProofSchemas {
    private static let text = Column(name: "text", type: .text)
    private static let count = Column(name: "count", type: .integer, defaultValue: .integer(7))

    static let items = [
        EntitySchema(name: "item", columns: [text], uniques: [[0]]),
        EntitySchema(name: "item", columns: [text, count], uniques: [[0]]),
        EntitySchema(name: "item", columns: [text, count], uniques: [[0]], indexes: [[1]]),
    ]

    /// The number of a separate schema, whose objects contain bytes.
    static let covers = items.count

    static func sets() throws -> [SchemaSet] {
        let other = EntitySchema(name: "other", columns: [text])
        return try [[items[0]], [items[1]], [items[2], other], [Sample.cover]].map { try SchemaSet($0) }
    }

    static func object(_ id: Int, _ row: ProofModel.Row, declared schema: Int) -> StorageObject {
        StorageObject(
            schema: items[schema], id: Sample.id(id), version: row.version,
            values: schema > 0 ? [.text(row.text), .integer(row.count)] : [.text(row.text)])
    }
}
