import LarderData
import LarderDomain

enum ShopMapper: EntityMapper {
    static let mapping = Mapping<Shop>(
        "shop", id: \.id,
        [
            .column("name", \.name).indexed,
            .derived("folded_name", \.foldedName),
            .column("motto", \.motto).settable.unique,
            .column("staff", \.staff).settable(in: 0...100),
            .column("rent", \.rent),
            .column("is_open", \.isOpen).settable,
            .column("opened", \.opened),
            .column("founded", \.founded),
            .column("logo", \.logo),
            .reference("sign", \.sign, onDelete: .remove, owned: true),
            .reference("branch_of", \.branchOf, onDelete: .remove),
            .reference("owner", \.owner, onDelete: .refuse).owner.settable,
            .children("shelves", \.shelves, ShelfMapper.self),
            .links("regulars", \.regulars, onDelete: .remove),
        ])

    static func entity(from row: inout ObjectReader) throws -> Shop {
        var shop = Shop(row.id(Shop.self).rawValue.low, name: try row.next())
        (shop.motto, shop.staff, shop.rent) = (try row.next(), try row.next(), try row.next())
        (shop.isOpen, shop.opened, shop.founded) = (try row.next(), try row.next(), try row.next())
        (shop.logo, shop.sign, shop.branchOf) = (try row.next(), try row.next(), try row.next())
        shop.owner = try row.next()
        shop.shelves = try row.children(ShelfMapper.self)
        shop.regulars = try row.links()
        return shop
    }
}

enum ShelfMapper: EntityMapper {
    static let mapping = Mapping<Shelf>(
        "shelf", id: \.id,
        [
            .column("label", \.label),
            .reference("supplier", \.supplier, onDelete: .cascade),
            .children("boxes", \.boxes, BoxMapper.self),
        ])

    static func entity(from row: inout ObjectReader) throws -> Shelf {
        Shelf(
            row.id(Shelf.self).rawValue.low, try row.next(), supplier: try row.next(),
            boxes: try row.children(BoxMapper.self))
    }
}

enum BoxMapper: EntityMapper {
    static let mapping = Mapping<Box>(
        "box", id: \.id,
        [
            .column("weight", \.weight),
            .reference("packed_by", \.packedBy, onDelete: .remove),
        ])

    static func entity(from row: inout ObjectReader) throws -> Box {
        Box(row.id(Box.self).rawValue.low, weight: try row.next(), packedBy: try row.next())
    }
}

enum PersonMapper: EntityMapper {
    static let mapping = Mapping<Person>("person", id: \.id, [.column("name", \.name).unique])

    static func entity(from row: inout ObjectReader) throws -> Person {
        Person(row.id(Person.self).rawValue.low, try row.next())
    }
}

enum SignMapper: EntityMapper {
    static let mapping = Mapping<Sign>("sign", id: \.id, [.column("text", \.text)])

    /// Rejects the values that the entity's initializer would reject.
    static func entity(from row: inout ObjectReader) throws -> Sign {
        let sign = Sign(row.id(Sign.self).rawValue.low, try row.next())
        if sign.text.isEmpty { throw InvalidField(Sign.self, "text", "must not be empty") }
        return sign
    }
}

enum RatingMapper: EntityMapper {
    static let mapping = Mapping<Rating>(
        "rating", id: \.id,
        [
            .reference("shop", \.shop, onDelete: .cascade), .column("stars", \.stars),
        ])

    static func entity(from row: inout ObjectReader) throws -> Rating {
        Rating(row.id(Rating.self).rawValue.low, of: try row.next(), stars: try row.next())
    }
}
