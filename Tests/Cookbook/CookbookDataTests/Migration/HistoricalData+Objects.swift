import LarderData
import LarderDomain

/// The content as objects of a release.
extension HistoricalData {
    /// All roots of a release.
    static func objects(of schemas: SchemaSet, release: Int) throws -> [StorageObject] {
        try schemas.roots.flatMap { schema in try facts(of: schema.name, release).map { try $0.object(schema) } }
    }

    private static func facts(of entity: String, _ release: Int) throws -> [HistoricalFacts] {
        switch entity {
        case "user", "person": names.indices.map { user($0 + 1) }
        case "tag", "label": tags.indices.map { tag($0 + 1, release) }
        case "photo": photos.map(photo)
        case "brand": brands.indices.map(brand)
        case "recipe", "dish": recipes.map { recipe($0, release) }
        case "cookbook": (1...4).map(cookbook)
        case "cooking_session": (1...10).map(session)
        case "guest_entry": (1...3).map(entry)
        default: throw HistoricalFacts.Missing(column: entity)
        }
    }

    private static func user(_ number: Int) -> HistoricalFacts {
        let (first, last) = names[number - 1]
        return HistoricalFacts(
            id: id(.user, number), version: version(number),
            values: [
                "name": .text(last == "-" ? first : "\(first) \(last)"), "first_name": .text(first),
                "last_name": .text(last), "email": .text("User\(number)@Example.org"),
                "folded_email": .text("user\(number)@example.org"), "role": .text(number == 1 ? "admin" : "cook"),
            ])
    }

    private static func tag(_ number: Int, _ release: Int) -> HistoricalFacts {
        let name = release < 7 ? tags[number - 1].0 : tags[number - 1].1
        return HistoricalFacts(
            id: id(.tag, number), version: version(number),
            values: ["name": .text(name), "name_folded": .text(name.folded)])
    }

    private static func photo(_ number: Int) -> HistoricalFacts {
        HistoricalFacts(
            id: id(.photo, number), version: version(number),
            values: [
                "media_type": .text("image/gif"), "digest": .text(digest(ofPhoto: number)),
                "bytes": .blob(bytes(ofPhoto: number)),
                "caption": number == 1 ? .text("") : number == 2 ? .null : .text("Photo \(number)"),
            ])
    }

    private static func brand(_ index: Int) -> HistoricalFacts {
        HistoricalFacts(
            id: id(.brand, index), version: version(index),
            values: [
                "name": .text(brands[index].0), "name_folded": .text(brands[index].0.folded),
                "keywords": .text(keywords[index].joined(separator: "\n")), "language": .text(languages[index]),
                "photo_id": index == 0 ? .id(id(.photo, 6)) : .null,
            ])
    }

    private static func recipe(_ number: Int, _ release: Int) -> HistoricalFacts {
        let name = name(ofRecipe: number)
        let identifier = sourceIdentifier(number)
        let total = [preparationMinutes(number), cookingMinutes(number)].compactMap(\.self)
        let photo = Value.id(photo(ofRecipe: number))
        let ingredients = ingredients(ofRecipe: number).map { ingredient(number, $0) }
        let tags = tags(ofRecipe: number)
        var values: [String: Value] = [
            "title": .text(name), "heading": .text(name), "name": .text(name), "name_folded": .text(name.folded),
            "summary": .text(summary(ofRecipe: number)), "author": number % 4 == 0 ? .null : .text("Chef \(number)"),
            "published": .text(published(number)), "difficulty": .integer(1 + number % 5),
            "rating": .integer(number % 6), "stars": .integer(number),
        ]
        values.merge([
            "preparation_seconds": .integer(preparationSeconds(number)),
            "preparation_minutes": .integer(preparationMinutes(number)),
            "cooking_seconds": .integer(cookingSeconds(number)), "cooking_minutes": .integer(cookingMinutes(number)),
            "total_minutes": total.isEmpty ? .null : .integer(total.reduce(0, +)),
            "yield_amount": .integer(yield(number).amount), "yield_unit": .text(yield(number).unit),
            "yield": .text(yield(number).text), "completed": .integer(number % 2), "photo_id": photo,
            "picture_id": photo,
            "source_identifier": .text(release < 7 ? identifier.entered : identifier.unique),
            "created_at": .integer(number * 1_000_003 - 5_000_000), "owner_id": .id(owner(ofRecipe: number)),
        ]) { $1 }
        return HistoricalFacts(
            id: id(.recipe, number), version: version(number), values: values,
            lists: [
                "steps": steps(ofRecipe: number).map { step(number, $0) }, "ingredients": ingredients,
                "lines": ingredients, "comments": number % 2 == 0 ? [] : [comment(number)],
            ], links: ["tags": tags, "labels": tags, "similar": [id(.recipe, number % 24 + 1), id(.recipe, number)]])
    }

    private static func step(_ recipe: Int, _ place: Int) -> HistoricalFacts {
        HistoricalFacts(
            id: id(.step, recipe * 10 + place),
            values: [
                "text": .text("Step \(place + 1) – ½ h"), "timer_seconds": place == 0 ? .null : .integer(recipe * 10),
                "photo_id": recipe == 5 && place == 1 ? .id(id(.photo, 5)) : .null,
            ])
    }

    private static func ingredient(_ recipe: Int, _ place: Int) -> HistoricalFacts {
        HistoricalFacts(
            id: ingredientID(recipe, place),
            values: [
                "content": .text("Salt \(recipe).\(place) ½"), "text": .text("Salt \(recipe).\(place) ½"),
                "quantity": quantity(recipe, place).map(Value.real) ?? .null, "unit": .text(place == 1 ? nil : "g"),
                "brand": .text(enteredBrand(recipe, place)),
                "brand_id": .id(brand(recipe, place).map { id(.brand, $0) }),
            ])
    }

    private static func comment(_ recipe: Int) -> HistoricalFacts {
        HistoricalFacts(
            id: id(.comment, recipe), values: ["text": .text(""), "user_id": .id(owner(ofRecipe: recipe))])
    }

    private static func cookbook(_ number: Int) -> HistoricalFacts {
        HistoricalFacts(
            id: id(.cookbook, number), version: version(number),
            values: ["owner_id": .id(id(.user, number)), "name": .text("Büch \(number)")],
            links: [
                "favorites": [number + 5, number].map { id(.recipe, $0) },
                "history": [number, number, number + 1].map { id(.recipe, $0) },
            ])
    }

    private static func session(_ number: Int) -> HistoricalFacts {
        HistoricalFacts(
            id: id(.session, number), version: version(number),
            values: [
                "user_id": .id(id(.user, number)), "recipe_id": .id(id(.recipe, number * 2)),
                "repetitions": .integer(number), "started_at": .integer(number * 60_000_000),
            ])
    }

    private static func entry(_ number: Int) -> HistoricalFacts {
        HistoricalFacts(
            id: id(.entry, number), version: version(number),
            values: ["text": .text("Entry \(number)"), "user_id": number == 3 ? .null : .id(id(.user, number))])
    }
}
