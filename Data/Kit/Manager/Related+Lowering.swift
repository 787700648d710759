internal import LarderDomain

extension Condition {
    /// Lowers a condition on other entities.
    static func related<E: Entity, Others: RelatedQuery>(
        _ others: Others, _ mapping: Mapping<E>, _ mappers: MapperSet?
    ) throws(PersistencyError) -> Condition {
        let (query, name) = (others.query, Others.Other.entityName)
        guard query.limit == nil, query.after == nil, query.before == nil, query.search == nil else {
            throw .unsupportedQuery("a limit, a cursor or a search in a condition on \(name)")
        }
        guard let mappers else { throw .unknownEntity(name) }
        let other = try mappers.mapper(for: Others.Other.self).mapping
        let member: RelatedRoots.Member
        switch others.isIncoming ? other.keyPaths[others.path] : mapping.keyPaths[others.path] {
        case .column(let index, _): member = .column(index)
        case .links(let index): member = .link(index)
        default: throw .unsupportedQuery("a condition on \(name) by \(others.path.displayName), which is not stored so")
        }
        let schema = others.isIncoming ? other.schema : mapping.schema
        if case .column(let index) = member { try schema.checkNotSealed(.column(index)) }
        return .related(
            RelatedRoots(other.schema, by: member, isIncoming: others.isIncoming),
            try Condition(query, other, mappers))
    }
}
