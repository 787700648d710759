import CookbookDomain
import LarderDomain

/// An instance of each entity, with parameters for the values that a test needs and arbitrary others.
enum Things {
    static let epoch = Timestamp(microseconds: 0)

    static func recipe(owner: EntityID<User>?) throws -> Recipe {
        try Recipe(id: id(10), name: "Soup", createdAt: epoch, owner: owner)
    }

    static func tag() throws -> Tag { try Tag(id: id(11), name: "hot") }

    static func brand(
        name: String = "Mill", keywords: [String] = [], language: String = "en"
    ) throws -> Brand {
        guard let language = LanguageTag(rawValue: language) else {
            throw InvalidField(Brand.self, "language", "must be a tag")
        }
        return try Brand(id: id(12), name: name, keywords: keywords, language: language)
    }

    static func photo() throws -> Photo {
        let digest = String(repeating: "0", count: 64)
        return try Photo(id: id(13), mediaType: .gif, digest: digest, bytes: Array("GIF89a".utf8))
    }

    static func cookbook(
        owner: EntityID<User> = id(1), name: String = "Mine", favourites: [EntityID<Recipe>] = [],
        history: [EntityID<Recipe>] = []
    ) throws -> Cookbook {
        try Cookbook(id: id(14), owner: owner, name: name, favourites: favourites, history: history)
    }

    static func session(user: EntityID<User> = id(1), repetitions: Int = 1) throws -> CookingSession {
        try CookingSession(id: id(15), user: user, recipe: id(10), repetitions: repetitions, startedAt: epoch)
    }

    static func user(
        _ number: EntityID<User> = id(1), email: String = "ann@example.org", firstName: String = "Ann",
        lastName: String = "Lee", role: Role = .reader
    ) throws -> User {
        try User(id: number, email: email, firstName: firstName, lastName: lastName, role: role)
    }
}
