import LarderDomain
import Testing

@testable import LarderData

@Suite("Mapping loses nothing and hides nothing")
struct MappingTests {
    private func field(_ body: () throws -> Void) -> InvalidField? {
        do {
            try body()
            return nil
        } catch PersistencyError.invalid(let field) {
            return field
        } catch {
            return nil
        }
    }

    @Test func `text becomes NFC, and minus zero becomes zero`() throws {
        let object = try ShopMapper.storageObject(from: Shop(1, name: "cafe\u{301}", rent: -0.0))
        guard case .text(let name) = object.values[0], case .real(let rent) = object.values[4] else {
            return #expect(Bool(false), "\(object.values)")
        }
        #expect(Array(name.utf8) == Array("caf\u{e9}".utf8))
        #expect(rent.sign == .plus)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func `numbers that are not finite are refused, naming the field`(_ rent: Double) {
        let refused = field { _ = try ShopMapper.storageObject(from: Shop(1, rent: rent)) }
        #expect(refused?.field == "rent" && refused?.entity == "shop" && refused?.id == Shop(1).id.rawValue)
    }

    @Test func `U+0000 is refused, in owned objects too`() {
        #expect(field { _ = try ShopMapper.storageObject(from: Shop(1, name: "a\u{0}")) }?.field == "name")
        let inner = field { _ = try ShopMapper.storageObject(from: Shop(1, shelves: [Shelf(1, "\u{0}")])) }
        #expect(inner?.entity == "shelf" && inner?.field == "label")
    }

    @Test func `an object owned twice is refused`() {
        let twice = field { _ = try ShopMapper.storageObject(from: Shop(1, shelves: [Shelf(1, "a"), Shelf(1, "b")])) }
        #expect(twice?.field == "shelves")
    }

    @Test func `a missing value, a wrong type and too few columns are typed errors`() throws {
        var object = try ShopMapper.storageObject(from: Shop(1))
        object.values[0] = .null
        let missing = field { _ = try MappedObject<ShopMapper>(object).toSafeObject() }
        #expect(missing?.field == "name" && missing?.reason == "is missing" && missing?.id == object.id)
        object.values[0] = .integer(3)
        #expect(field { _ = try MappedObject<ShopMapper>(object).toSafeObject() }?.reason == "is not of type String")
        object.values[0] = .text("shop")
        object.values[5] = .integer(2)
        #expect(field { _ = try MappedObject<ShopMapper>(object).toSafeObject() }?.field == "is_open")
        object.values = [.text("shop")]
        #expect(field { _ = try MappedObject<ShopMapper>(object).toSafeObject() } != nil)
        var lists = try ShopMapper.storageObject(from: Shop(1))
        lists.links = []
        #expect(field { _ = try MappedObject<ShopMapper>(lists).toSafeObject() }?.field == "link 1")
        lists.children = []
        #expect(field { _ = try MappedObject<ShopMapper>(lists).toSafeObject() }?.field == "list 1")
    }

    @Test func `an error of the entity names its id`() throws {
        let object = try SignMapper.storageObject(from: Sign(7, ""))
        let refused = field { _ = try MappedObject<SignMapper>(object).toSafeObject() }
        #expect(refused == InvalidField(entity: "sign", id: object.id, field: "text", reason: "must not be empty"))
    }

    @Test func `an error that a mapper invents is typed too`() throws {
        enum Stubborn: EntityMapper {
            struct Refusal: Error {}
            static let mapping = Mapping<Sign>("sign", id: \.id, [.column("text", \.text)])
            static func entity(from row: inout ObjectReader) throws -> Sign { throw Refusal() }
        }
        let object = try SignMapper.storageObject(from: Sign(7, "x"))
        let refused = field { _ = try MappedObject<Stubborn>(object).toSafeObject() }
        #expect(refused?.reason.contains("Refusal") == true)
    }

    @Test func `derived columns are stored and not read back`() throws {
        let object = try ShopMapper.storageObject(from: Shop(1, name: "ÜBER"))
        #expect(object.values[1] == .text("über"))
        #expect(try MappedObject<ShopMapper>(object).toSafeObject().name == "ÜBER")
    }

    @Test func `raw values are mapped to cases, and unknown ones to none`() throws {
        enum Size: String, ColumnValue { case small, large }
        #expect(try Size.large.columnValue() == .text("large"))
        #expect(Size(columnValue: .text("small")) == .small)
        #expect(Size(columnValue: .text("huge")) == nil)
        #expect(Size(columnValue: .integer(1)) == nil)
        #expect(Size.columnType == .text)
    }

    @Test func `values of another type are no value`() {
        #expect(Int(columnValue: .text("1")) == nil)
        #expect(Int64(columnValue: .null) == nil)
        #expect(Bool(columnValue: .integer(7)) == nil)
        #expect(Double(columnValue: .integer(1)) == nil)
        #expect(String(columnValue: .blob([])) == nil)
        #expect([UInt8](columnValue: .text("")) == nil)
        #expect(RawID(columnValue: .blob([])) == nil)
        #expect(EntityID<Shop>(columnValue: .integer(0)) == nil)
        #expect(Timestamp(columnValue: .text("")) == nil)
        #expect(CalendarDay(columnValue: .text("2024-02-30")) == nil)
        #expect(CalendarDay(columnValue: .integer(1)) == nil)
        #expect(Int?(columnValue: .text("1")) == nil)
        #expect(Int?(columnValue: .null) == .some(nil))
    }
}
