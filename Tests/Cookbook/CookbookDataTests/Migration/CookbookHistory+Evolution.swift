import CookbookData
import LarderData
import LarderDomain

/// The changes that lead from each release to the current one.
extension CookbookHistory {
    /// - Parameter names: Steps to leave out.
    static func evolution(without names: Set<String> = []) -> SchemaEvolution {
        let steps = [splitName, brandEntity, minutes, joinYield, distinctTags, noPlaceholders]
        return SchemaEvolution(
            version: version(of: releases.upperBound), steps: steps.filter { !names.contains($0.name) },
            dropped: ["guest_entry", "tag_claim"])
    }

    /// The current mappers, without hints: a program to which the hints are of no more use.
    static func mappers() throws -> MapperSet { try MapperSet(CookbookMappers.all, evolution: evolution()) }

    /// The current schemas with hints, derivations and steps.
    static func newest(without names: Set<String> = []) throws -> SchemaSet {
        let current = try MapperSet(CookbookMappers.all).schemas
        var derivations: [String: SchemaSet.Derivation] = [:]
        for root in current.roots { derivations[root.name] = current.derivation(of: root) }
        return try SchemaSet(
            SchemaRelease(roots: current.roots).hinted(hints), derivations: derivations,
            evolution: evolution(without: names))
    }

    private static let hints = [
        "recipe": SchemaHints(
            formerNames: ["dish"],
            formerMembers: [
                "name": ["heading", "title"], "photo_id": ["picture_id"], "tags": ["labels"], "ingredients": ["lines"],
            ], dropped: ["stars", "comments", "similar"]),
        "ingredient": SchemaHints(formerNames: ["line"], formerMembers: ["text": ["content"]]),
        "tag": SchemaHints(formerNames: ["label"]),
        "user": SchemaHints(formerNames: ["person"]),
        "photo": SchemaHints(dropped: ["caption"]),
    ]

    private static let splitName = MigrationStep(
        "split-name", version: 3, entity: "user", reading: [text("name")],
        adding: [.column(text("first_name")), .column(text("last_name"))], removing: ["name"]
    ) { user, context in
        let parts = try user.text("name").split(separator: " ", maxSplits: 1).map(String.init)
        var new = context.reshaped(user)
        try new.set("first_name", .text(parts.first ?? "-"))
        try new.set("last_name", .text(parts.count > 1 ? parts[1] : "-"))
        return new
    }

    /// An ingredient refers to the brand with the name in any case; the first spelling is kept.
    private static let brandEntity = MigrationStep(
        "brand-entity", version: 4, entity: "ingredient", reading: [optional("brand", .text)],
        adding: [
            .column(
                Column(
                    name: "brand_id", type: .id, isNullable: true,
                    reference: Reference(target: "brand", onDelete: .remove)))
        ], removing: ["brand"], creating: roots(of: 5).filter { $0.name == "brand" }
    ) { ingredient, context in
        var new = context.reshaped(ingredient)
        let name = try ingredient.text("brand")
        if name.isEmpty { return new }
        let key: [String: Value] = ["language": .text("en"), "name_folded": .text(name.folded)]
        if let found = try context.id(of: "brand", where: key) {
            try new.set("brand_id", .id(found))
        } else {
            let values: [String: Value] = ["name": .text(name), "keywords": .text("")]
            let brand = try context.newObject(of: "brand", key.merging(values) { $1 })
            try context.insert(brand)
            try new.set("brand_id", .id(brand.id))
        }
        return new
    }

    private static let minutes = MigrationStep(
        "minutes", version: 5, entity: "recipe",
        reading: [optional("preparation_seconds", .integer), optional("cooking_seconds", .integer)],
        adding: [
            .column(optional("preparation_minutes", .integer)), .column(optional("cooking_minutes", .integer)),
        ], removing: ["preparation_seconds", "cooking_seconds"]
    ) { recipe, context in
        var new = context.reshaped(recipe)
        for time in ["preparation", "cooking"] {
            if let seconds = try recipe.integer("\(time)_seconds") {
                try new.set("\(time)_minutes", .integer(seconds / 60))
            }
        }
        return new
    }

    private static let joinYield = MigrationStep(
        "join-yield", version: 5, entity: "recipe",
        reading: [optional("yield_amount", .integer), optional("yield_unit", .text)],
        adding: [.column(optional("yield", .text))], removing: ["yield_amount", "yield_unit"]
    ) { recipe, context in
        var new = context.reshaped(recipe)
        guard let amount = try recipe.integer("yield_amount") else { return new }
        let unit = try recipe.text("yield_unit")
        try new.set("yield", .text(unit.isEmpty ? "\(amount)" : "\(amount) \(unit)"))
        return new
    }

    /// A tag with the name of an earlier one gets a number. An entity that exists only during the migration has the
    /// names so far.
    private static let distinctTags = MigrationStep(
        "distinct-tags", version: 6, entity: "tag", reading: [text("name")],
        creating: [EntitySchema(name: "tag_claim", columns: [text("name")], uniques: [[0]])]
    ) { tag, context in
        let original = try tag.text("name")
        var (name, number) = (original, 1)
        while try context.id(of: "tag_claim", where: ["name": .text(name)]) != nil {
            number += 1
            name = "\(original) (\(number))"
        }
        try context.insert(context.newObject(of: "tag_claim", ["name": .text(name)]))
        var new = context.reshaped(tag)
        try new.set("name", .text(name))
        return new
    }

    private static let noPlaceholders = MigrationStep(
        "no-placeholders", version: 6, entity: "recipe", reading: [optional("source_identifier", .text)]
    ) { recipe, context in
        var new = context.reshaped(recipe)
        if try recipe.value("source_identifier") == .text("n/a") { try new.set("source_identifier", .null) }
        return new
    }

    private static func text(_ name: String) -> Column { Column(name: name, type: .text) }
}
