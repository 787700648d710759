internal import CookbookData
internal import CookbookDomain
internal import LarderApp
internal import LarderData
internal import LarderDomain
internal import LarderHTTP

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

enum SessionResource: Resource {
    static let name = "sessions"
    static let kind = "Session"
    static let members: [ResourceMember] = [
        .id, .init("user", .id, .defaulted, "The user; default: the caller, or the present user."),
        .init("recipe", .id, .optional, "The recipe; null if it was deleted."),
        .init("repetitions", .integer(1...1_000), .defaulted, "The number of repetitions; default: 1."),
        .init("startedAt", .instant, .defaulted, "The start; default: now, or the present start."),
        .createdAt,
    ]
    static let fingerprint = SchemaFingerprint(
        CookingSessionMapper.mapping.schema, members: members, evolution: CookbookMappers.evolution)
    static let isPrivate = true

    private static let instantForm = "an instant, such as 2026-03-01T18:30:00Z"

    static func repository(in cookbook: OpenCookbook) -> any EntityRepository<CookingSession> {
        cookbook.sessions.erased
    }

    static func filter(from parameters: inout QueryParameters) throws -> Query<CookingSession> {
        var query = Query<CookingSession>(sort: [Sort(\.startedAt)])
        if let user = try parameters.parsed("user", "a user's id", EntityID<User>.init) {
            query = query.and(#Predicate { $0.user == user })
        }
        if let start = try parameters.parsed("since", instantForm, Timestamp.init(rfc3339:)) {
            query = query.and(#Predicate { $0.startedAt >= start })
        }
        if let end = try parameters.parsed("until", instantForm, Timestamp.init(rfc3339:)) {
            query = query.and(#Predicate { $0.startedAt < end })
        }
        return query
    }

    static func represent(_ items: [Stored<CookingSession>], in cookbook: OpenCookbook) -> [Representation] {
        items.map { session in
            Representation(
                json: .object([
                    .init("id", .string(session.id.description)),
                    .init("user", .string(session.user.description)),
                    .init("recipe", session.recipe.map { .string($0.description) } ?? .null),
                    .init("repetitions", .integer(Int64(session.repetitions))),
                    .init("startedAt", .string(session.startedAt.description)),
                    .createdAt(session.id),
                ]))
        }
    }

    static func entity(
        from fields: inout JSONFields, replacing old: CookingSession?, in cookbook: OpenCookbook
    ) throws(InvalidFields) -> CookingSession {
        let user = fields.id("user", of: User.self) ?? old?.user ?? cookbook.user?.id
        if user == nil { fields.note("user", "is required") }
        let recipe = fields.id("recipe", of: Recipe.self)
        let repetitions = fields.integer("repetitions") ?? 1
        let startedAt = fields.parsed("startedAt", "must be \(instantForm)", Timestamp.init(rfc3339:))
        return try fields.make(user) { user throws(InvalidField) in
            try CookingSession(
                id: old?.id ?? cookbook.ids.next(), user: user, recipe: recipe, repetitions: repetitions,
                startedAt: startedAt ?? old?.startedAt ?? cookbook.now())
        }
    }
}
