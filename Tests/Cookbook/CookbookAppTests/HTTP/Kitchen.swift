import LarderData
import LarderInfrastructure
import LarderTesting

@testable import CookbookApp

/// A service with at least one entity of each type, created by named requests.
enum Kitchen {
    /// A shared instance, which tests must not change.
    static let shared = Task { try await make() }

    static func make() async throws -> CookbookPlayer {
        var player = try await CookbookPlayer(MemoryStore(try MapperSet(Container.mappers).schemas))
        for exchange in HTTPTranscript(requests).exchanges { _ = try await player.play(exchange) }
        return player
    }

    /// The path of an operation, with an existing entity for each parameter.
    static func path(of operation: APIDescription.Operation) -> String {
        let segments = operation.path.split(separator: "/").map(String.init)
        let ids = [
            "recipes": "<recipe>", "tags": "<tag>", "brands": "<brand>", "cookbooks": "<cookbook>",
            "sessions": "<session>", "users": "<bob>", "tokens": "<revoked>", "assets": "page.css",
        ]
        let filled = segments.indices.map { index in
            segments[index].hasPrefix("{") ? ids[segments[index - 1]] ?? "" : segments[index]
        }
        return "/" + filled.joined(separator: "/")
    }

    private static let requests = """
        > POST /v1/tags as bob
        >
        > {"name":"Soup"}
        = tag

        > POST /v1/tags as bob
        >
        > {"name":"Stew"}
        = twin

        > POST /v1/recipes as bob
        >
        > {"name":"Lentils"}
        = recipe

        > POST /v1/recipes as ada
        >
        > {"name":"Bread"}
        = bread

        > POST /v1/brands as bob
        >
        > {"name":"Semola","language":"it"}
        = brand

        > POST /v1/cookbooks as bob
        >
        > {"name":"Mine"}
        = cookbook

        > POST /v1/sessions as bob
        >
        > {}
        = session

        > GET /v1/recipes?limit=1
        = recipes

        > GET /v1/tags?limit=1
        = tags

        > POST /v1/users/<cleo>/tokens as ada
        >
        > {"label":"expired","days":1}
        = expired

        > POST /v1/users/<cleo>/tokens as ada
        >
        > {"label":"revoked"}
        = revoked

        > POST /v1/users/<cleo>/tokens/<revoked>/revoke as ada

        > POST /v1/users as ada
        >
        > {"email":"dora@example.org","firstName":"Dora","lastName":"Lee"}
        = dora

        > POST /v1/users/<dora>/tokens as ada
        >
        > {"label":"orphan"}
        = orphan

        > DELETE /v1/users/<dora> as ada
        > If-Match: *

        > GET /v1/tags/<tag> (1 day later)
        """
}
