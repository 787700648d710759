internal import CookbookDomain
internal import LarderDomain

extension RecipeSort {
    /// The properties that the order goes by; the rest is left to ids, which rise as recipes are stored.
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
