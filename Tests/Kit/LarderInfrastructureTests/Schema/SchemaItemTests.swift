import LarderData
import LarderDomain
import Testing

@testable import LarderInfrastructure

/// The recorded form of a schema.
struct SchemaItemTests {
    @Test func `each item is read back from its values`() throws {
        var defaults = SchemaItem(entity: "dish", kind: .column, name: "weight")
        for (type, value) in [
            (ColumnType.real, Value.real(0.1)), (.integer, .integer(.min)), (.text, .text("a\u{1F600}")),
            (.blob, .blob([])),
        ] {
            (defaults.type, defaults.defaultValue) = (type, value)
            #expect(SchemaItem(defaults.values) == defaults)
        }
        let items = try Sample.schemas().items
        #expect(items.compactMap { SchemaItem($0.values) } == items)
        #expect(Set(items.map(\.kind)).count == 5)
        #expect(Set(items).count == items.count)
    }

    @Test func `values of no item are refused`() throws {
        let column = try #require(try Sample.schemas().items.first { $0.kind == .column })
        #expect(SchemaItem(column.values) == column)
        for (field, value) in [
            (0, Value.null), (1, .text("view")), (2, .integer(1)), (4, .null), (4, .text("date")), (7, .text("tag")),
            (8, .text("tag")), (10, .blob([1])),
        ] {
            var values = column.values
            values[field] = value
            #expect((SchemaItem(values) == nil) == (field != 8), "\(SchemaItem.fields[field].name)")
        }
        #expect(SchemaItem(column.values.dropLast()) == nil)
    }

    @Test func `the texts of the first formats declare the same items`() throws {
        for item in try Sample.schemas().items {
            let texts = item.textFields
            let read = SchemaItem(entity: texts[0], kind: texts[1], name: texts[2], text: texts[3])
            #expect(read == item.inFirstFormat, "\(item)")
        }
        let owning = try #require(
            SchemaItem(entity: "book", kind: "column", name: "cover_id", text: "id? -> cover, remove, owned"))
        #expect(owning.isNullable && owning.reference == Reference(target: "cover", onDelete: .remove, isOwning: true))
        for text in ["", "date", "id -> cover", "id -> cover, perhaps"] {
            #expect(SchemaItem(entity: "book", kind: "column", name: "a", text: text) == nil, "\(text)")
        }
        #expect(SchemaItem(entity: "book", kind: "view", name: "a", text: "") == nil)
    }
}

extension SchemaItem {
    /// The item without the parts that the first formats did not record: the name of the list that contains an entity,
    /// and a default.
    fileprivate var inFirstFormat: SchemaItem {
        var item = self
        item.defaultValue = nil
        if kind == .entity { item.name = "" }
        return item
    }

    /// The texts by which the first formats recorded an item, without its default.
    var textFields: [String] {
        let target = reference.map { "-> \($0.target), \($0.onDelete)" + ($0.isOwning ? ", owned" : "") }
        let column = type.map { "\($0)" + (isNullable ? "?" : "") + (isDerived ? " derived" : "") }
        let list = kind == .entity ? owner.map { "in \($0)" } ?? "root" : name
        return [entity, kind.rawValue, list, [column, target].compactMap(\.self).joined(separator: " ")]
    }
}
