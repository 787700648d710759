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

    @Test func `a valid set knows its schemas and their references`() throws {
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

    @Test func `a sealed column that is a reference, an owner, indexed without equality, or has a default`() {
        func sealed(
            _ sealing: Sealing, default value: Value? = nil, reference: Reference? = nil, type: ColumnType = .text
        ) -> Column {
            Column(
                name: "secret", type: type, isNullable: true, defaultValue: value, reference: reference,
                sealing: sealing)
        }
        let named = "a.secret is sealed and cannot "
        let reference = sealed(.equality, reference: Reference(target: "a", onDelete: .remove), type: .id)
        #expect(refusal(EntitySchema(name: "a", columns: [reference])) == named + "be a reference")
        let owner = EntitySchema(name: "a", columns: [sealed(.equality, type: .id)], ownerColumn: 0)
        #expect(refusal(owner) == named + "be a reference")
        let filled = EntitySchema(name: "a", columns: [sealed(.content, default: .text("x"))])
        #expect(refusal(filled)?.hasPrefix(named + "have a default") == true)
        for (uniques, indexes) in [([[0]], []), ([], [[0]]), ([[1, 0]], [])] as [([[Int]], [[Int]])] {
            func schema(_ sealing: Sealing) -> EntitySchema {
                EntitySchema(name: "a", columns: [sealed(sealing), text], uniques: uniques, indexes: indexes)
            }
            #expect(refusal(schema(.content)) == named + "be unique or indexed without equality")
            #expect(refusal(schema(.equality)) == nil)
        }
        let words = EntitySchema(
            name: "a", columns: [Column(name: "secret", type: .text, isDerived: true, sealing: .equality)],
            indexes: [[0]])
        let root = EntitySchema(name: "b", columns: [text], children: [ChildRelationship(name: "words", schema: words)])
        #expect(refusal(root) == named + "be searched")
    }

    @Test func `a derived column or a search next to a sealed column, unless it is sealed or declared as unsealed`() {
        func schema(_ derived: Sealing?, unsealed: Set<String> = []) -> EntitySchema {
            var hints = SchemaHints()
            hints.unsealed = unsealed
            return EntitySchema(
                name: "a",
                columns: [
                    Column(name: "secret", type: .text, sealing: .content),
                    Column(name: "folded", type: .text, isDerived: true, sealing: derived),
                ], hints: hints)
        }
        #expect(refusal(schema(nil))?.hasPrefix("a.folded is derived, and a.secret is sealed: ") == true)
        #expect(refusal(schema(.equality)) == nil && refusal(schema(.content)) == nil)
        #expect(refusal(schema(nil, unsealed: ["folded"])) == nil)
        let words = EntitySchema(
            name: "a_words", columns: [Column(name: "word", type: .text, isDerived: true)], indexes: [[0]])
        let part = EntitySchema(name: "part", columns: [Column(name: "text", type: .text, sealing: .content)])
        func root(_ hints: SchemaHints) -> EntitySchema {
            EntitySchema(
                name: "a", columns: [text],
                children: [
                    ChildRelationship(name: "parts", schema: part), ChildRelationship(name: "words", schema: words),
                ], hints: hints)
        }
        #expect(refusal(root(SchemaHints()))?.hasPrefix("a.words is a search, and part.text is sealed: ") == true)
        var hints = SchemaHints()
        hints.unsealed = ["words"]
        #expect(refusal(root(hints)) == nil)
    }

    @Test func `a column is sealed with others if the set has another sealed column`() throws {
        var hints = SchemaHints()
        hints.sealedWithOthers = ["copy"]
        let copies = EntitySchema(
            name: "copies", columns: [text, Column(name: "copy", type: .blob)], indexes: [[0]], hints: hints)
        let plain = EntitySchema(name: "plain", columns: [text])
        let sealed = EntitySchema(name: "secrets", columns: [Column(name: "text", type: .text, sealing: .content)])
        #expect(try SchemaSet([copies, plain])["copies"]?.columns.map(\.sealing) == [nil, nil])
        let set = try SchemaSet([copies, sealed])
        #expect(set["copies"]?.columns.map(\.sealing) == [nil, .content] && set["copies"]?.indexes == [[0]])
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
        #expect(!ColumnType.day.accepts(.integer(1)) && ColumnType.boolean.accepts(.integer(1)))
    }

    @Test func `a scale beyond nine digits, and a default with more digits`() {
        for (scale, type) in [(10, ColumnType.integer), (-1, .integer), (2, .text)] {
            let column = Column(name: "price", type: type, scale: scale)
            #expect(refusal(EntitySchema(name: "a", columns: [column]))?.contains("the scale \(scale)") == true)
        }
        for (scale, value) in [(10, nil), (1, ExactDecimal("0.25"))] {
            let member = MappedMember<Person>.decimal("price", \.price, scale: scale, default: value)
            #expect(refusal(Mapping("person", id: \.id, [member]).schema) != nil)
        }
    }

    @Test func `schemas are equal when they declare the same`() {
        func schema(_ column: Column) -> EntitySchema { EntitySchema(name: "a", columns: [column]) }
        #expect(schema(text) == schema(text))
        #expect(schema(text) != schema(Column(name: "text", type: .text, isNullable: true)))
        #expect(ShopMapper.schema.declaration.contains("sign: id? -> sign remove owned"))
    }
}

extension Person {
    fileprivate var price: ExactDecimal { 0 }
}
