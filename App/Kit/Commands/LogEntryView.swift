internal import LarderInfrastructure

extension LogInspector.Entry {
    /// The JSON view of a record. `first` and `last` are commit numbers; in a head, `last` is the number of the
    /// preceding commit. `removals` counts references that were removed from all referrers.
    var view: JSON {
        var members: [String: (any JSONConvertible)?] = [
            "offset": offset, "bytes": size, "checksum": isIntact ? "right" : "wrong",
        ]
        switch content {
        case .head(let sequence): members.merge(["kind": "head", "last": sequence]) { $1 }
        case .journal(let count): members.merge(["kind": "journal", "commits": count]) { $1 }
        case .roots(let count): members.merge(["kind": "roots", "roots": count]) { $1 }
        case .end(let count): members.merge(["kind": "end", "roots": count]) { $1 }
        case .commits(let numbers, let inserts, let updates, let deletes, let removed):
            members.merge([
                "kind": "commits", "first": numbers.lowerBound, "last": numbers.upperBound, "inserted": inserts,
                "updated": updates, "deleted": deletes, "removals": removed == 0 ? nil : removed,
            ]) { $1 }
        case .cutShort: members["kind"] = "cut short"
        case .damage: members["kind"] = "damage"
        }
        return .sorted(members)
    }
}
