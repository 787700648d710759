internal import LarderData
internal import LarderDomain

/// Conditions over books and their owned objects and links. `Differential` has conditions over columns alone.
struct RandomConditions {
    private var chance = Chance(seed: 11)
    private let shop: Bookshop

    private static let comparisons: [Comparison] = [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]

    init(_ shop: Bookshop) {
        self.shop = shop
    }

    mutating func next(depth: Int = 3) -> Condition {
        switch depth > 0 ? Int.random(in: 0..<6, using: &chance) : 5 {
        case 0: .and((0..<2).map { _ in next(depth: depth - 1) })
        case 1: .or((0..<3).map { _ in next(depth: depth - 1) })
        case 2: .not(next(depth: depth - 1))
        default: leaf()
        }
    }

    private mutating func leaf() -> Condition {
        switch Int.random(in: 0..<7, using: &chance) {
        case 0: .links(relationship: 0, id: chance.pick(shop.genres).id.rawValue)
        case 1: .compare(.linkCount(0), comparison(), .literal(.integer(1)))
        case 2: .compare(.childCount(0), comparison(), .literal(.integer(2)))
        case 3: .compare(.arithmetic(.column(2), .remainder, .childCount(0)), comparison(), .linkCount(0))
        case 4: .always(chance.happens(oneIn: 2))
        case 5: .contains(.column(0), chance.pick(Bookshop.words))
        default: .anyChild(relationship: 0, chapterCondition())
        }
    }

    private mutating func chapterCondition() -> Condition {
        let minutes = Condition.compare(.column(1), comparison(), .literal(.integer(5)))
        let title = Condition.compare(.column(0), comparison(), .literal(.text(chance.pick(Bookshop.words))))
        switch Int.random(in: 0..<4, using: &chance) {
        case 0: return .and([minutes, .not(title)])
        case 1: return .or([minutes, title])
        case 2: return .compare(.childCount(0), comparison(), .literal(.integer(1)))
        default: return .anyChild(relationship: 0, noteCondition())
        }
    }

    private mutating func noteCondition() -> Condition {
        let genre = Value.id(chance.pick(shop.genres).id.rawValue)
        let source = Condition.compare(.column(1), comparison(), .literal(chance.happens(oneIn: 2) ? .null : genre))
        return chance.happens(oneIn: 2) ? source : .and([.contains(.column(0), chance.pick(Bookshop.words)), source])
    }

    private mutating func comparison() -> Comparison { chance.pick(Self.comparisons) }
}
