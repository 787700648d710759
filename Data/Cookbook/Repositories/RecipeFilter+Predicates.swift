internal import CookbookDomain

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import LarderDomain

extension RecipeFilter {
    /// One predicate for each condition that is not nil.
    var predicates: [Predicate<Recipe>] {
        var predicates: [Predicate<Recipe>] = []
        if let text = nameContains?.folded { predicates.append(#Predicate { $0.name.folded.contains(text) }) }
        if let limit = underMinutes {
            // A recipe with unknown time does not satisfy any limit.
            predicates.append(#Predicate { ($0.totalMinutes ?? limit) < limit })
        }
        if let wanted = anyOfTags { predicates.append(#Predicate { $0.tags.contains { wanted.contains($0) } }) }
        if let user = ownedBy { predicates.append(#Predicate { $0.owner == user }) }
        return predicates
    }
}
