internal import LarderDomain

/// The kinds of roots in a model-based run.
enum ItemKind: Int, CaseIterable, Sendable {
    case author, genre, picture, book, review, shelf, counter

    var type: any Entity.Type {
        switch self {
        case .author: Author.self
        case .genre: Genre.self
        case .picture: Picture.self
        case .book: Book.self
        case .review: Review.self
        case .shelf: Shelf.self
        case .counter: Counter.self
        }
    }

    /// The number of ids of the kind: few, so that operations affect the same roots.
    var idCount: UInt8 {
        switch self {
        case .author, .genre: 4
        case .book, .review: 5
        case .picture, .shelf: 3
        case .counter: 2
        }
    }
}

/// The key of a root in a run.
struct ItemKey: Hashable, Sendable, CustomStringConvertible {
    let kind: ItemKind
    let number: UInt8

    init(_ kind: ItemKind, _ number: UInt8) {
        self.kind = kind
        self.number = number % kind.idCount
    }

    init(_ kind: ItemKind, _ id: RawID) {
        self.kind = kind
        number = UInt8(truncatingIfNeeded: id.low)
    }

    var rawID: RawID { RawID(high: 0, low: UInt64(number)) }

    var reference: EntityReference { EntityReference(entity: "\(kind)", id: rawID) }

    var description: String { "\(kind) \(number)" }
}
