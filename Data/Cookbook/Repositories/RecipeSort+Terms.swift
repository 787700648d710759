internal import CookbookDomain
internal import LarderDomain

extension RecipeSort {
    /// The terms of the order. Ids, which ascend in the order of creation, break ties.
    var terms: [Sort<Recipe>] {
        switch self {
        case .name: [Sort(\.name.folded)]
        case .time: [Sort(\.totalMinutes), Sort(\.name.folded)]
        case .rating: [Sort(\.rating, .descending), Sort(\.name.folded)]
        case .published: [Sort(\.published, .descending), Sort(\.name.folded)]
        case .stored: []
        }
    }
}
