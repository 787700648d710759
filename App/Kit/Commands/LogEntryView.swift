internal import LarderInfrastructure

/// A record of a log as JSON.
struct LogEntryView: Encodable {
    let offset: Int
    let bytes: Int
    let kind: String
    let checksum: String
    /// Numbers of the commits; for a head, of the last one before it.
    private(set) var first: Int64?
    private(set) var last: Int64?
    private(set) var roots: Int?
    private(set) var inserted: Int?
    private(set) var updated: Int?
    private(set) var deleted: Int?
    /// References that were removed from all roots that had them; absent where there are none.
    private(set) var removals: Int?

    init(_ entry: LogInspector.Entry) {
        (offset, bytes, checksum) = (entry.offset, entry.size, entry.isIntact ? "right" : "wrong")
        switch entry.content {
        case .head(let sequence): (kind, last) = ("head", sequence)
        case .roots(let count): (kind, roots) = ("roots", count)
        case .end(let count): (kind, roots) = ("end", count)
        case .commits(let numbers, let inserts, let updates, let deletes, let removed):
            kind = "commits"
            (first, last) = (numbers.lowerBound, numbers.upperBound)
            (inserted, updated, deleted) = (inserts, updates, deletes)
            removals = removed == 0 ? nil : removed
        case .cutShort: kind = "cut short"
        case .damage: kind = "damage"
        }
    }
}
