extension PersistencyError: CustomStringConvertible {
    /// One sentence in plain language.
    public var description: String {
        switch self {
        case .cancelled: "cancelled before anything was stored"
        case .notFound(let reference): "\(reference) not found"
        case .duplicate(let duplicate):
            "\(duplicate.entity): \(duplicate.columns.joined(separator: ", ")) already in use by \(duplicate.existing)"
        case .dangling(let dangling):
            "\(dangling.entity).\(dangling.column) refers to \(dangling.id), which does not exist"
        case .refused(let refusal):
            refusal.rule.map { "\(refusal.target) \($0)" }
                ?? "\(refusal.target) is still referenced by \(refusal.entity).\(refusal.column) of \(refusal.example)"
        case .forbidden(let what): "permission denied: \(what)"
        case .conflict(let conflict): conflict.description
        case .invalid(let field): field.description
        case .unsupportedQuery(let what): "unsupported query: \(what)"
        case .unknownEntity(let name): "no mapping for \(name)"
        case .alreadyOpen(let holder): "already open for writing by \(holder)"
        case .outsideTransaction(let what): "outside the transaction: \(what)"
        case .incompatible(let what): "incompatible store: \(what)"
        case .contention(let what): "interrupted by a concurrent commit: \(what)"
        case .inDoubt(let id, let trouble): "commit \(id) may or may not be stored: \(trouble)"
        case .unavailable(let trouble): trouble.description
        }
    }
}

extension Conflict: CustomStringConvertible {
    /// One sentence in plain language.
    public var description: String {
        let wanted = expected.map { "version \($0)" } ?? "none"
        let actual = found.map { "version \($0)" } ?? "none"
        return "\(reference) was changed concurrently: expected \(wanted), found \(actual)"
    }
}

extension InvalidField: CustomStringConvertible {
    /// One sentence in plain language.
    public var description: String {
        entity + (id.map { " \($0)" } ?? "") + ": " + field + " " + reason
    }
}

extension Unavailable: CustomStringConvertible {
    /// One sentence in plain language.
    public var description: String { "store unavailable (\(reason)): \(message)" }
}
