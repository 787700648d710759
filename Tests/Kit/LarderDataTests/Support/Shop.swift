import LarderData
import LarderDomain

/// A small domain with every kind of column, nested owned objects, links, and references with each delete rule.
struct Shop: Entity {
    let id: EntityID<Shop>
    var name: String
    var motto: String?
    var staff: Int?
    var rent: Double
    var isOpen: Bool
    var opened: Timestamp
    var founded: CalendarDay?
    var logo: [UInt8]?
    /// Deleted with the shop.
    var sign: EntityID<Sign>?
    /// Set to `nil` when the target is deleted.
    var branchOf: EntityID<Shop>?
    /// Cannot be deleted while the shop exists.
    var owner: EntityID<Person>?
    var shelves: [Shelf]
    /// Removed from the list when the target is deleted.
    var regulars: [EntityID<Person>]

    var foldedName: String { name.lowercased() }

    init(
        _ number: UInt64, name: String = "shop", motto: String? = nil, staff: Int? = nil, rent: Double = 0,
        isOpen: Bool = false, opened: Int64 = 0, founded: CalendarDay? = nil, logo: [UInt8]? = nil,
        sign: EntityID<Sign>? = nil, branchOf: EntityID<Shop>? = nil, owner: EntityID<Person>? = nil,
        shelves: [Shelf] = [], regulars: [EntityID<Person>] = []
    ) {
        id = EntityID(RawID(high: 1, low: number))
        (self.name, self.motto, self.staff, self.rent, self.isOpen) = (name, motto, staff, rent, isOpen)
        (self.opened, self.founded, self.logo) = (Timestamp(microseconds: opened), founded, logo)
        (self.sign, self.branchOf, self.owner) = (sign, branchOf, owner)
        (self.shelves, self.regulars) = (shelves, regulars)
    }
}

struct Shelf: Entity {
    let id: EntityID<Shelf>
    var label: String
    /// A shelf is deleted with its supplier.
    var supplier: EntityID<Person>?
    var boxes: [Box]

    init(_ number: UInt64, _ label: String, supplier: EntityID<Person>? = nil, boxes: [Box] = []) {
        id = EntityID(RawID(high: 2, low: number))
        (self.label, self.supplier, self.boxes) = (label, supplier, boxes)
    }
}

struct Box: Entity {
    let id: EntityID<Box>
    var weight: Int
    /// Set to `nil` when the target is deleted.
    var packedBy: EntityID<Person>?

    init(_ number: UInt64, weight: Int = 1, packedBy: EntityID<Person>? = nil) {
        id = EntityID(RawID(high: 3, low: number))
        (self.weight, self.packedBy) = (weight, packedBy)
    }
}

struct Person: Entity {
    let id: EntityID<Person>
    var name: String

    init(_ number: UInt64, _ name: String) {
        id = EntityID(RawID(high: 4, low: number))
        self.name = name
    }
}

struct Sign: Entity {
    let id: EntityID<Sign>
    var text: String

    init(_ number: UInt64, _ text: String = "open") {
        id = EntityID(RawID(high: 5, low: number))
        self.text = text
    }
}

/// Deleted with its shop.
struct Rating: Entity {
    let id: EntityID<Rating>
    var shop: EntityID<Shop>
    var stars: Int

    init(_ number: UInt64, of shop: EntityID<Shop>, stars: Int) {
        id = EntityID(RawID(high: 6, low: number))
        (self.shop, self.stars) = (shop, stars)
    }
}
