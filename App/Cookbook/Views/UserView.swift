internal import CookbookDomain
internal import LarderDomain

/// A user as programs read it from `--json`, and as a person reads it.
struct UserView: Encodable {
    let id: String
    let email: String
    let firstName: String
    let lastName: String
    let role: String
    let createdAt: String?
    /// How many recipes the user owns; `nil` in lists.
    let recipes: Int?
    /// The names of the user's cookbooks; `nil` in lists.
    let cookbooks: [String]?

    init(_ user: User, recipes: Int?, cookbooks: [String]?) {
        id = user.id.description
        email = user.email
        firstName = user.firstName
        lastName = user.lastName
        role = user.role.rawValue
        createdAt = user.id.rawValue.creationTime?.description
        self.recipes = recipes
        self.cookbooks = cookbooks
    }

    init(_ user: User) {
        self.init(user, recipes: nil, cookbooks: nil)
    }

    var lines: [String] {
        [
            "\(firstName) \(lastName)", "", "E-mail: \(email)", "Role: \(role)", "Recipes: \(recipes ?? 0)",
            "Cookbooks: " + ((cookbooks ?? []).isEmpty ? "none yet" : (cookbooks ?? []).joined(separator: ", ")),
            "Id: \(id)",
        ]
    }
}
