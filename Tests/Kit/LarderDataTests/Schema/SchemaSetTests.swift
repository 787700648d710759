import LarderData
import LarderDomain
import Testing

@Suite("Schemas are checked against each other")
struct SchemaSetTests {
    private func refusal(_ schemas: EntitySchema...) -> String? {
        do {
            _ = try SchemaSet(schemas)
            return nil
        } catch .incompatible(let reason) {
            return reason
        } catch {
            return "another error: \(error)"
        }
    }

    private let text = Column(name: "text", type: .text)

    @Test func `a good set knows its schemas and who refers to whom`() throws {
        let set = try MapperSet(Fixture.mappers).schemas
        #expect(set.all.map(\.name) == ["shop", "shelf", "box", "person", "sign", "rating"])
        #expect(set["box"]?.name == "box" && set["cellar"] == nil)
        #expect(
            set.references(to: PersonMapper.schema).map { "\($0.holder.name).\($0.memberName)" }
                == ["shop.owner", "shop.regulars", "shelf.supplier", "box.packed_by"])
        #expect(ShopMapper.schema.index(ofColumn: "rent") == 4)
        #expect(ShopMapper.schema.hasBlobs && !ShopMapper.schema.isFlat && PersonMapper.schema.isFlat)
    }

    @Test func `a name given twice`() {
        #expect(refusal(EntitySchema(name: "a", columns: [text]), EntitySchema(name: "a", columns: [])) != nil)
        #expect(refusal(EntitySchema(name: "a", columns: [text, text])) != nil)
    }

    @Test func `a reference to nothing, to an owned object, or that holds no id`() {
        func referring(_ type: ColumnType, to target: String) -> Column {
            Column(
                name: "other", type: type, isNullable: true, reference: Reference(target: target, onDelete: .remove))
        }
        let owned = ChildRelationship(name: "parts", schema: EntitySchema(name: "part", columns: [text]))
        #expect(refusal(EntitySchema(name: "a", columns: [referring(.id, to: "b")]))?.contains("b") == true)
        let toOwned = EntitySchema(name: "a", columns: [referring(.id, to: "part")], children: [owned])
        #expect(refusal(toOwned)?.contains("part") == true)
        #expect(refusal(EntitySchema(name: "a", columns: [referring(.text, to: "a")])) != nil)
        #expect(refusal(EntitySchema(name: "a", columns: [referring(.id, to: "a")])) == nil)
    }

    @Test func `a required reference that would become null`() {
        let column = Column(name: "other", type: .id, reference: Reference(target: "a", onDelete: .remove))
        #expect(refusal(EntitySchema(name: "a", columns: [column]))?.contains("null") == true)
    }

    @Test func `a group of columns that are not there, and unique columns of owned objects`() {
        #expect(refusal(EntitySchema(name: "a", columns: [text], uniques: [[1]])) != nil)
        #expect(refusal(EntitySchema(name: "a", columns: [text], indexes: [[]])) != nil)
        let owned = EntitySchema(name: "part", columns: [text], uniques: [[0]])
        let root = EntitySchema(name: "a", columns: [], children: [ChildRelationship(name: "parts", schema: owned)])
        #expect(refusal(root) != nil)
    }

    @Test func `a default of another type`() {
        let column = Column(name: "text", type: .text, defaultValue: .integer(1))
        #expect(refusal(EntitySchema(name: "a", columns: [column])) != nil)
        #expect(!ColumnType.day.holds(.integer(1)) && ColumnType.boolean.holds(.integer(1)))
    }

    @Test func `schemas are equal when they declare the same`() {
        func schema(_ column: Column) -> EntitySchema { EntitySchema(name: "a", columns: [column]) }
        #expect(schema(text) == schema(text))
        #expect(schema(text) != schema(Column(name: "text", type: .text, isNullable: true)))
        #expect(ShopMapper.schema.declaration.contains("sign: id? -> sign remove owned"))
    }
}
