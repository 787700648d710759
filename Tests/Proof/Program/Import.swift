internal import LarderApp
internal import LarderDomain

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Stores items by their codes; labels are named, and created if missing.
struct Import {
    /// The number of items per commit: a batch is stored whole or not at all.
    static let batchSize = 50

    struct Report: Encodable {
        var inserted = 0
        var updated = 0
    }

    let manager: any PersistencyManager
    private(set) var report = Report()

    init(_ manager: any PersistencyManager) { self.manager = manager }

    /// - Throws: `InvalidFields` for an invalid line; the batches before it are stored.
    mutating func take(path: String) async throws {
        var reader = try LineReader(path: path)
        var batch: [JSON] = []
        while let line = try reader.next() {
            batch.append(try JSON(parsing: line.bytes))
            if batch.count == Self.batchSize {
                try await store(batch)
                batch = []
            }
        }
        if !batch.isEmpty { try await store(batch) }
    }

    private mutating func store(_ batch: [JSON]) async throws {
        let stored = try await manager.transaction { manager in
            let codes = batch.map { $0["code"]?.text }
            let old = try await manager.read(Query<Item>(#Predicate { codes.contains($0.code) }))
            let known = Dictionary(uniqueKeysWithValues: old.entities.map { ($0.code, $0) })
            var labels: [String: EntityID<Label>] = [:]
            for label in try await manager.read(Query<Label>()).entities { labels[label.name] = label.id }
            var new: [Item] = []
            var changed: [Item] = []
            for line in batch {
                var fields = JSONFields(line)
                let before = line["code"]?.text.flatMap { known[$0] }
                var item = try ItemResource.entity(from: &fields, replacing: before, in: manager)
                for name in fields.strings("keywords") ?? [] {
                    if labels[name] == nil {
                        labels[name] = try await manager.create(Label(id: ids.next(), name: name)).id
                    }
                    if let id = labels[name] { item.labels.append(id) }
                }
                item.rating = before?.rating ?? item.rating
                if before == nil { new.append(item) } else { changed.append(item) }
            }
            try await manager.create(contentsOf: new)
            try await manager.save(contentsOf: changed)
            return (new.count, changed.count)
        }
        report.inserted += stored.0
        report.updated += stored.1
    }
}

extension JSON {
    fileprivate var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }
}
