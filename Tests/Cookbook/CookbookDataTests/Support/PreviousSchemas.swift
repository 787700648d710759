import LarderData
import LarderDomain

/// The schemas with which the first databases were made. They do not follow the mappers.
enum PreviousSchemas {
    static let tag = EntitySchema(
        name: "tag", columns: [Column(name: "name", type: .text), folded("folded_name")], uniques: [[0]],
        indexes: [[1]])

    static let photo = EntitySchema(
        name: "photo",
        columns: [
            Column(name: "media_type", type: .text), Column(name: "digest", type: .text),
            Column(name: "bytes", type: .blob),
        ])

    static let step = EntitySchema(
        name: "step",
        columns: [
            Column(name: "text", type: .text), Column(name: "timer_seconds", type: .integer, isNullable: true),
            photoReference,
        ])

    static let ingredient = EntitySchema(
        name: "ingredient",
        columns: [
            Column(name: "text", type: .text), Column(name: "quantity", type: .real, isNullable: true),
            Column(name: "unit", type: .text, isNullable: true),
        ])

    static let recipe = EntitySchema(
        name: "recipe",
        columns: [
            Column(name: "name", type: .text), folded("folded_name"),
            Column(name: "summary", type: .text, isNullable: true),
            Column(name: "author", type: .text, isNullable: true),
            Column(name: "published", type: .day, isNullable: true), Column(name: "difficulty", type: .integer),
            Column(name: "rating", type: .integer),
            Column(name: "preparation_minutes", type: .integer, isNullable: true),
            Column(name: "cooking_minutes", type: .integer, isNullable: true),
            Column(name: "total_minutes", type: .integer, isNullable: true, isDerived: true),
            Column(name: "yield", type: .text, isNullable: true), Column(name: "completed", type: .boolean),
            photoReference, Column(name: "source_identifier", type: .text, isNullable: true),
            Column(name: "created_at", type: .timestamp),
        ],
        children: [
            ChildRelationship(name: "steps", schema: step), ChildRelationship(name: "ingredients", schema: ingredient),
        ], links: [LinkRelationship(name: "tags", target: "tag", onDelete: .remove)], uniques: [[13]],
        indexes: [[1], [4], [6], [9]])

    static var all: SchemaSet {
        get throws { try SchemaSet([tag, photo, recipe]) }
    }

    /// The schema before columns were derived.
    static func underived(_ schema: EntitySchema) -> EntitySchema {
        let kept = schema.columns.indices.filter { !schema.columns[$0].isDerived }
        func moved(_ groups: [[Int]]) -> [[Int]] {
            groups.map { $0.compactMap { kept.firstIndex(of: $0) } }.filter { !$0.isEmpty }
        }
        return EntitySchema(
            name: schema.name, columns: kept.map { schema.columns[$0] }, children: schema.children,
            links: schema.links, uniques: moved(schema.uniques), indexes: moved(schema.indexes))
    }

    /// The object in the schema before columns were derived.
    static func underived(_ object: StorageObject) -> StorageObject {
        let values = zip(object.schema.columns, object.values).filter { !$0.0.isDerived }.map(\.1)
        return StorageObject(
            schema: underived(object.schema), id: object.id, values: values, children: object.children,
            links: object.links)
    }

    private static func folded(_ name: String) -> Column { Column(name: name, type: .text, isDerived: true) }

    private static var photoReference: Column {
        let reference = Reference(target: "photo", onDelete: .remove, isOwning: true)
        return Column(name: "photo_id", type: .id, isNullable: true, reference: reference)
    }
}
