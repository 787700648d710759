internal import CookbookDomain
internal import LarderDomain

extension RecipeSort {
    /// The terms of the order. Ids, which ascend in the order of creation, break ties.
    var terms: [Sort<Recipe>] {
        switch self {
        case .name: [Sort(\.foldedName)]
        case .time: [Sort(\.totalMinutes), Sort(\.foldedName)]
        case .rating: [Sort(\.rating, .descending), Sort(\.foldedName)]
        case .published: [Sort(\.published, .descending), Sort(\.foldedName)]
        case .stored: []
        }
    }
}
