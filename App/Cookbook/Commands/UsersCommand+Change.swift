internal import ArgumentParser
internal import CookbookDomain
internal import LarderApp
internal import LarderDomain

extension UsersCommand {
    /// `larder users hand-over`
    struct HandOver: CookbookCommand {
        static let configuration = CommandConfiguration(
            commandName: "hand-over",
            abstract: "Gives all recipes and cookbooks of a user to another; cooking sessions stay with who cooked.")

        static let httpWay = "PATCH /v1/recipes/{id}"

        @OptionGroup var options: StoreOptions

        @Argument(help: "The e-mail of who owns them.")
        var from: String

        @Argument(help: "The e-mail of who shall own them.")
        var to: String

        static var fields: [String: String] { ["target": "<to>"] }

        func run(in cookbook: OpenCookbook) async throws {
            let (source, target) = (try await cookbook.user(from), try await cookbook.user(to))
            let outcome = try await cookbook.handOverOwnership.execute(.init(from: source.id, to: target.id))
            let what = "\(counted(outcome.recipes, "recipe")) and \(counted(outcome.cookbooks, "cookbook"))"
            try Terminal.output("\(target.email) has got \(what) from \(source.email)")
        }
    }

    /// `larder users delete`
    struct Delete: CookbookCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete",
            abstract: "Removes a user who owns nothing, with the user's cooking sessions and tokens.")

        static let httpWay = "DELETE /v1/users/{id}"

        @OptionGroup var options: StoreOptions

        @Argument(help: "The e-mail, in any case.")
        var email: String

        func run(in cookbook: OpenCookbook) async throws {
            let user = try await cookbook.user(email)
            do {
                try await cookbook.users.delete(user.id)
                try Terminal.output("\(user.email) is removed")
            } catch PersistencyError.refused(let refusal) {
                if let rule = refusal.rule {
                    throw CommandFailure(
                        .conflict, "\(user.email) \(rule)",
                        advice: "Register another admin first: larder users add EMAIL --role admin")
                }
                let owned = try await cookbook.owned(refusal)
                throw CommandFailure(
                    .conflict, "\(user.email) still owns \(owned)",
                    advice: "Hand everything over first: larder users hand-over \(user.email) EMAIL")
            }
        }
    }
}

extension OpenCookbook {
    /// What stands against a deletion, by name.
    fileprivate func owned(_ refusal: Refusal) async throws -> String {
        switch refusal.entity {
        case Recipe.entityName:
            if let recipe = try await recipes.read(EntityID(refusal.example)) {
                return "the recipe \(recipe.name)"
            }
        case Cookbook.entityName:
            if let found = try await cookbooks.read(EntityID(refusal.example)) {
                return "the cookbook \(found.name)"
            }
        default: break
        }
        return "\(refusal.entity) \(refusal.example)"
    }
}
