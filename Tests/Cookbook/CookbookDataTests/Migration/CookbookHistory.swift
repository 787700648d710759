import CookbookData
import LarderData

/// Fictional earlier releases of the sample. Each is described by its differences from the next one; the last one is the
/// current sample.
enum CookbookHistory {
    /// All releases, the first ones first.
    static let releases = 1...8

    /// The version of the schemas of each release. Releases 4 and 8 are additive, so they have that of the release before.
    static func version(of release: Int) -> Int { [1, 2, 3, 3, 4, 5, 6, 6][release - 1] }

    /// The schemas of a release, with its version and without a history of its own.
    static func schemas(of release: Int) throws -> SchemaSet {
        try SchemaSet(roots(of: release), evolution: SchemaEvolution(version: version(of: release)))
    }

    static func roots(of release: Int) -> [EntitySchema] {
        var schemas = SchemaRelease(roots: CookbookMappers.all.map { $0.schema })
        for next in stride(from: releases.upperBound, to: release, by: -1) { undo(next, &schemas) }
        return schemas.roots
    }

    /// Changes the schemas of a release to those of the release before it.
    private static func undo(_ release: Int, _ schemas: inout SchemaRelease) {
        switch release {
        case 8: undoAdditions(&schemas)
        case 7: undoUniqueness(&schemas)
        case 6: undoUnitsAndDrops(&schemas)
        case 5: undoBrands(&schemas)
        case 4: undoCookbooks(&schemas)
        case 3: undoNames(&schemas)
        default: undoRenames(&schemas)
        }
    }

    /// Release 8 adds a reference, derived columns, indexes, a unique group, and the words of a search.
    private static func undoAdditions(_ schemas: inout SchemaRelease) {
        schemas.change("user") { $0.remove("folded_email") }
        schemas.change("brand") { $0.remove("photo_id") }
        schemas.change("recipe") { recipe in
            recipe.remove("total_minutes", "words")
            recipe.removeGroups { $0 == ["rating"] || $0 == ["published"] }
        }
    }

    /// Release 7 makes the names of tags and the source identifiers of recipes unique, and permits cooking sessions
    /// without a recipe.
    private static func undoUniqueness(_ schemas: inout SchemaRelease) {
        schemas.change("tag") { $0.remove("name_folded") }
        schemas.change("recipe") { recipe in recipe.removeGroups { $0 == ["source_identifier"] } }
        schemas.change("cooking_session") { session in
            let recipe = Reference(target: "recipe", onDelete: .cascade)
            session.replace("recipe_id", with: Column(name: "recipe_id", type: .id, reference: recipe))
        }
    }

    /// Release 6 measures in minutes, joins amount and unit of the yield, renames the heading, and drops a column with
    /// its index, a column next to a blob, a list of owned objects, a list of links, and an entity.
    private static func undoUnitsAndDrops(_ schemas: inout SchemaRelease) {
        schemas.change("recipe") { recipe in
            recipe.rename(column: "name", to: "heading")
            recipe.replace("preparation_minutes", with: optional("preparation_seconds", .integer))
            recipe.replace("cooking_minutes", with: optional("cooking_seconds", .integer))
            recipe.replace("yield", with: optional("yield_amount", .integer), optional("yield_unit", .text))
            recipe.add(Column(name: "stars", type: .integer))
            recipe.add(index: ["stars"])
            let comment = EntitySchema(name: "comment", columns: [Column(name: "text", type: .text), user("user_id")])
            recipe.add(ChildRelationship(name: "comments", schema: comment))
            recipe.add(LinkRelationship(name: "similar", target: "recipe", onDelete: .remove))
        }
        schemas.change("photo") { $0.add(optional("caption", .text)) }
        schemas.add(EntitySchema(name: "guest_entry", columns: [Column(name: "text", type: .text), user("user_id")]))
    }

    /// Release 5 makes entities of the brands of ingredients.
    private static func undoBrands(_ schemas: inout SchemaRelease) {
        schemas.change("ingredient") { $0.replace("brand_id", with: optional("brand", .text)) }
        schemas.remove("brand")
    }

    /// Release 4 adds entities, a list of owned objects, a derived column with an index, and a reference.
    private static func undoCookbooks(_ schemas: inout SchemaRelease) {
        schemas.remove("cookbook", "cooking_session")
        schemas.change("recipe") { $0.remove("name_folded", "owner_id", "steps") }
    }

    /// Release 3 splits the names of users.
    private static func undoNames(_ schemas: inout SchemaRelease) {
        schemas.change("user") { user in
            user.replace("first_name", with: Column(name: "name", type: .text))
            user.remove("last_name")
        }
    }

    /// Release 2 renames entities, columns, a reference, a list of links, and a list of owned objects.
    private static func undoRenames(_ schemas: inout SchemaRelease) {
        schemas.change("recipe") { recipe in
            recipe.rename(column: "heading", to: "title")
            recipe.rename(column: "photo_id", to: "picture_id")
            recipe.rename(list: "tags", to: "labels")
            recipe.rename(list: "ingredients", to: "lines")
        }
        schemas.change("ingredient") { $0.rename(column: "text", to: "content") }
        for (name, former) in [("recipe", "dish"), ("ingredient", "line"), ("tag", "label"), ("user", "person")] {
            schemas.rename(name, to: former)
        }
    }

    static func optional(_ name: String, _ type: ColumnType) -> Column {
        Column(name: name, type: type, isNullable: true)
    }

    private static func user(_ name: String) -> Column {
        Column(name: name, type: .id, isNullable: true, reference: Reference(target: "user", onDelete: .remove))
    }
}
