import LarderData
import LarderDomain
import LarderInfrastructure
import LarderStoreContract
@testable import LarderStoreContractTests

extension Mutation {
    /// Defects in conditions on other roots.
    static let related: [Mutation] = [
        evaluating("negates conditions on other roots", in: [.queries, .changes]) { roots, inner in
            .not(.related(roots, inner))
        },
        evaluating("finds roots that refer to any root") { roots, _ in .related(roots, .always(true)) },
        evaluating("finds roots without a reference, too") { roots, inner in
            guard case .column(let index) = roots.member, !roots.isIncoming else { return .related(roots, inner) }
            return .or([.related(roots, inner), .compare(.column(index), .equal, .literal(.null))])
        },
        negating("finds no roots to which none refers, if a reference is null") { roots, inner in
            guard case .column = roots.member, roots.isIncoming, roots.schema.name == "book" else {
                return .not(.related(roots, inner))
            }
            return .always(false)
        },
        evaluating("ignores conditions on the roots to which other roots refer") { roots, inner in
            .related(roots, inner.mapLeaves { if case .related = $0 { .always(true) } else { $0 } })
        },
        evaluating("follows references between roots of one type in the other direction") { roots, inner in
            guard roots.schema.name == "book", case .column = roots.member else { return .related(roots, inner) }
            return .related(RelatedRoots(roots.schema, by: roots.member, isIncoming: !roots.isIncoming), inner)
        },
        evaluating("follows links as if every root had them") { roots, inner in
            if case .link = roots.member { .always(true) } else { .related(roots, inner) }
        },
        negating("ignores a negated condition on other roots") { _, _ in .always(true) },
    ]

    private typealias Change = @Sendable (RelatedRoots, Condition) -> Condition

    private static func evaluating(
        _ name: String, in groups: [LawGroup] = [.queries], _ change: @escaping Change
    ) -> Mutation {
        resolving(name, groups, change) { .not(change($0, $1)) }
    }

    /// Changes only negated conditions.
    private static func negating(_ name: String, _ change: @escaping Change) -> Mutation {
        resolving(name, [.queries], { .related($0, $1) }, change)
    }

    private static func resolving(
        _ name: String, _ groups: [LawGroup], _ change: @escaping Change, _ negated: @escaping Change
    ) -> Mutation {
        Mutation(groups, name) {
            $0.pretends = [.semiJoins]
            $0.answer = { (request, store) async throws(PersistencyError) in
                var request = request
                request.condition = try await request.condition.changed(negated, change).resolved(of: request.schema) {
                    (schema, condition) throws(PersistencyError) in
                    try await store.read(ReadRequest(schema, where: condition)).items
                }
                return try await store.read(request)
            }
        }
    }
}

extension Condition {
    fileprivate func changed(
        _ negated: (RelatedRoots, Condition) -> Condition, _ change: (RelatedRoots, Condition) -> Condition
    ) -> Condition {
        switch self {
        case .related(let roots, let inner): change(roots, inner)
        case .not(.related(let roots, let inner)): negated(roots, inner)
        case .and(let parts): .and(parts.map { $0.changed(negated, change) })
        case .or(let parts): .or(parts.map { $0.changed(negated, change) })
        default: self
        }
    }
}
