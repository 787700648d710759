import CookbookDomain
import LarderDomain

/// The content as the current release must show it.
extension HistoricalData {
    /// - Parameter brandIDs: The ids of brands by their names, which a migration from before release 5 has created.
    static func expected(from release: Int, brandIDs: [String: EntityID<Brand>]) throws -> Snapshot {
        func brandID(_ index: Int) -> EntityID<Brand> {
            release < 5 ? brandIDs[brands[index].0] ?? id(.brand, index) : id(.brand, index)
        }
        let hasCookbooks = release >= 4
        return Snapshot(
            recipes: try recipes.map { number in
                Stored(try recipe(number, hasCookbooks, brandID), version: version(number))
            },
            tags: try tags.indices.map { index in
                Stored(try Tag(id: id(.tag, index + 1), name: tags[index].1), version: version(index + 1))
            },
            photos: try photos.map { number in
                let photo = try Photo(
                    id: id(.photo, number), mediaType: .gif, digest: digest(ofPhoto: number),
                    bytes: bytes(ofPhoto: number))
                return Stored(photo, version: version(number))
            },
            brands: try brands.indices.map { index in
                try brand(index, release, brandID(index))
            }.sorted { $0.id < $1.id },
            users: try names.indices.map { index in
                let user = try User(
                    id: id(.user, index + 1), email: "User\(index + 1)@Example.org", firstName: names[index].0,
                    lastName: names[index].1, role: index == 0 ? .admin : .cook)
                return Stored(user, version: version(index + 1))
            },
            cookbooks: hasCookbooks ? try (1...4).map(cookbook) : [],
            sessions: hasCookbooks ? try (1...10).map(session) : [])
    }

    private static func brand(_ index: Int, _ release: Int, _ brand: EntityID<Brand>) throws -> Stored<Brand> {
        let isCreated = release < 5
        return Stored(
            try Brand(
                id: brand, name: brands[index].0, keywords: isCreated ? [] : keywords[index],
                photo: release == 8 && index == 0 ? id(.photo, 6) : nil,
                language: LanguageTag(rawValue: isCreated ? "en" : languages[index]) ?? .english),
            version: isCreated ? 1 : version(index))
    }

    private static func recipe(
        _ number: Int, _ hasCookbooks: Bool, _ brandID: (Int) -> EntityID<Brand>
    ) throws -> Recipe {
        let steps = try steps(ofRecipe: number).map { place in
            try Step(
                id: id(.step, number * 10 + place), text: "Step \(place + 1) – ½ h",
                timerSeconds: place == 0 ? nil : number * 10,
                photo: number == 5 && place == 1 ? id(.photo, 5) : nil)
        }
        let ingredients = try ingredients(ofRecipe: number).map { place in
            try Ingredient(
                id: EntityID(ingredientID(number, place)), text: "Salt \(number).\(place) ½",
                quantity: quantity(number, place), unit: place == 1 ? nil : "g",
                brand: brand(number, place).map(brandID))
        }
        return try Recipe(
            id: id(.recipe, number), name: name(ofRecipe: number), summary: summary(ofRecipe: number),
            author: number % 4 == 0 ? nil : "Chef \(number)",
            published: published(number).flatMap { CalendarDay($0) }, difficulty: 1 + number % 5, rating: number % 6,
            preparationMinutes: preparationMinutes(number), cookingMinutes: cookingMinutes(number),
            yield: yield(number).text, completed: number % 2 == 1, photo: photo(ofRecipe: number).map { EntityID($0) },
            sourceIdentifier: sourceIdentifier(number).unique,
            createdAt: Timestamp(microseconds: Int64(number) * 1_000_003 - 5_000_000),
            owner: hasCookbooks ? owner(ofRecipe: number).map { EntityID($0) } : nil,
            steps: hasCookbooks ? steps : [], ingredients: ingredients,
            tags: tags(ofRecipe: number).map { EntityID($0) })
    }

    private static func cookbook(_ number: Int) throws -> Stored<Cookbook> {
        let cookbook = try Cookbook(
            id: id(.cookbook, number), owner: id(.user, number), name: "Büch \(number)",
            favourites: [number + 5, number].map { id(.recipe, $0) },
            history: [number, number, number + 1].map { id(.recipe, $0) })
        return Stored(cookbook, version: version(number))
    }

    private static func session(_ number: Int) throws -> Stored<CookingSession> {
        let session = try CookingSession(
            id: id(.session, number), user: id(.user, number), recipe: id(.recipe, number * 2), repetitions: number,
            startedAt: Timestamp(microseconds: Int64(number) * 60_000_000))
        return Stored(session, version: version(number))
    }
}
