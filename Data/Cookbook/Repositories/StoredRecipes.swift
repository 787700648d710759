public import CookbookDomain
public import LarderDomain

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The recipes of a manager.
public struct StoredRecipes: RecipeRepository {
    /// The manager that stores the recipes.
    public let manager: any PersistencyManager

    /// Makes the repository of a manager.
    public init(manager: any PersistencyManager) {
        self.manager = manager
    }

    public func list(_ request: RecipeListRequest) async throws(PersistencyError) -> QueryPage<Recipe> {
        try await read(request.query)
    }

    public func lines(_ request: RecipeListRequest) async throws(PersistencyError) -> ReadModelPage<RecipeLine> {
        try await manager.read(request.query, as: RecipeLine.self)
    }

    public func fromSources(_ sourceIdentifiers: [String]) async throws(PersistencyError) -> [Stored<Recipe>] {
        let wanted: [String?] = sourceIdentifiers
        return try await read(Query(#Predicate { wanted.contains($0.sourceIdentifier) })).items
    }

    public func named(_ name: String) async throws(PersistencyError) -> [Stored<Recipe>] {
        let folded = name.folded
        return try await read(Query(#Predicate { $0.name.folded == folded })).items
    }

    public func counts() async throws(PersistencyError) -> RecipeCounts {
        let groups = try await manager.aggregates(
            Query<Recipe>(), by: .value(\.rating), .value(\.completed), of: .count)
        func count(where isCounted: (_ rating: Int, _ completed: Bool) -> Bool) -> Int {
            groups.reduce(0) { isCounted($1.keys.0, $1.keys.1) ? $0 + $1.values : $0 }
        }
        return RecipeCounts(
            recipes: count { _, _ in true }, ingredients: try await members(.size(\.ingredients)),
            steps: try await members(.size(\.steps)), rated: count { rating, _ in rating != 0 },
            completed: count { _, completed in completed })
    }

    /// The number of objects in one list of all recipes.
    private func members(_ size: Grouping<Recipe, Int>) async throws(PersistencyError) -> Int {
        try await manager.counts(Query<Recipe>(), by: size).reduce(0) { $0 + $1.key * $1.value }
    }
}

extension RecipeListRequest {
    fileprivate var query: Query<Recipe> {
        var query = Query<Recipe>(
            search: search, sort: search == nil ? sort.terms : [], limit: limit, after: after, before: before,
            includesTotal: includesTotal)
        query.byteLimit = byteLimit
        query.predicates = filter.predicates + predicates
        return query
    }
}
