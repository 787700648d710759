import LarderData
import LarderDomain
import LarderTesting
import Testing

private struct Jar: Entity {
    let id: EntityID<Jar>
    var name = "plum"
    var note: String? = "dark"
    var grams = 250
    var price: ExactDecimal = 3
    var isSealed = true
    var isSold = true
    var lids = [Lid(id: EntityID(RawID(high: 0, low: 2)))]
}

private struct Lid: Entity {
    let id: EntityID<Lid>
    var width = 60
    var height = 12
}

/// A mapper whose reading is replaced by a test.
private protocol JarMapping: EntityMapper where Model == Jar {}

extension JarMapping {
    fileprivate static func jar() -> Mapping<Jar> {
        Mapping(
            "jar", id: \.id,
            [
                .column("name", \.name), .column("note", \.note), .column("grams", \.grams),
                .decimal("price", \.price, scale: 1), .column("is_sealed", \.isSealed), .column("is_sold", \.isSold),
                .children("lids", \.lids, LidMapper.self),
            ])
    }

    fileprivate static func read(_ row: inout ObjectReader) throws -> Jar {
        try Jar(
            id: row.id(), name: row.next(), note: row.next(), grams: row.next(), price: row.decimal(),
            isSealed: row.next(), isSold: row.next(), lids: row.children(LidMapper.self))
    }
}

private enum RightMapper: JarMapping {
    static let mapping = jar()
    static func entity(from row: inout ObjectReader) throws -> Jar { try read(&row) }
}

/// Exchanges name and note, loses the price, changes the weight, and leaves out the lids.
private enum WrongMapper: JarMapping {
    static let mapping = jar()
    static func entity(from row: inout ObjectReader) throws -> Jar {
        var jar = try read(&row)
        (jar.name, jar.note) = (jar.note ?? "", jar.name)
        (jar.price, jar.lids) = (0, [])
        jar.grams += 1
        return jar
    }
}

private enum LosingMapper: JarMapping {
    static let mapping = jar()
    static func entity(from row: inout ObjectReader) throws -> Jar {
        var jar = try read(&row)
        jar.note = nil
        jar.lids.append(Lid(id: EntityID(RawID(high: 0, low: 3))))
        return jar
    }
}

private enum LidMapper: EntityMapper {
    static let mapping = Mapping<Lid>("lid", id: \.id, [.column("width", \.width), .column("height", \.height)])
    static func entity(from row: inout ObjectReader) throws -> Lid {
        try Lid(id: row.id(), width: row.next(), height: row.next())
    }
}

@Suite("Members that a mapper does not keep")
struct UnkeptMembersTests {
    private let jar = Jar(id: EntityID(RawID(high: 0, low: 1)))

    @Test func `a mapper that keeps all members has none`() throws {
        #expect(try RightMapper.unkeptMembers(of: jar) == [])
    }

    @Test func `exchanged, changed and lost members are named`() throws {
        #expect(
            try WrongMapper.unkeptMembers(of: jar) == [
                "name and note are exchanged", "grams is 251, not 250", "price is 0, not 3", "lids[0].id is lost",
                "lids[0].width is lost", "lids[0].height is lost",
            ])
        #expect(
            try LosingMapper.unkeptMembers(of: jar) == [
                "note is lost", "lids[1].id is added", "lids[1].width is added", "lids[1].height is added",
            ])
    }

    @Test func `an example that would not show an exchange is refused`() throws {
        var example = jar
        (example.note, example.grams, example.lids) = ("plum", 60, [])
        #expect(
            try RightMapper.unkeptMembers(of: example) == [
                "name and note have the same value: give them different ones", "lids has no value: give it one",
            ])
        example.note = nil
        example.lids = [Lid(id: EntityID(RawID(high: 0, low: 2)), width: 60)]
        #expect(
            try RightMapper.unkeptMembers(of: example) == [
                "note has no value: give it one",
                "grams and lids[0].width have the same value: give them different ones",
            ])
    }

    @Test func `members of owned objects are compared, too`() throws {
        #expect(
            try ExchangedLids.unkeptMembers(of: Lid(id: EntityID(RawID(high: 0, low: 2)))) == [
                "width and height are exchanged"
            ])
    }
}

private enum ExchangedLids: EntityMapper {
    static let mapping = LidMapper.mapping
    static func entity(from row: inout ObjectReader) throws -> Lid {
        try Lid(id: row.id(), width: row.next(), height: row.next()).turned
    }
}

extension Lid {
    fileprivate var turned: Lid { Lid(id: id, width: height, height: width) }
}
