internal import LarderDomain

/// Texts of an entity that a search finds; see ``MappedMember/search(_:_:)``.
public struct SearchField<E: Sendable>: Sendable {
    /// The part of the rank for each word of a search that the field has, 1 to 1,000.
    public let weight: Int64
    let texts: @Sendable (E) -> [String]

    /// - Parameters:
    ///   - weight: Other weights than 1 to 1,000 count as the nearest of them.
    ///   - texts: The texts; a word that several of them have counts once.
    public init(weight: Int, _ texts: @escaping @Sendable (E) -> [String]) {
        (self.weight, self.texts) = (Int64(min(max(weight, 1), 1_000)), texts)
    }
}

/// The words of a search, as the only object of an owned list.
@usableFromInline enum SearchList {
    /// The version of the rules for words, of their stored form, and of their weights.
    private static let rules = 2

    /// The version of Unicode by which the runtime finds and folds words. Versions that add letters add blocks, which start
    /// at multiples of 16.
    private static let unicode: (major: Int, minor: Int) = {
        let ages = stride(from: 0, through: UInt32(0x3_FFFF), by: 16).lazy.compactMap {
            Unicode.Scalar($0)?.properties.age
        }
        return ages.max { $0 < $1 } ?? (0, 0)
    }()

    /// The name of the column contains a digest of the rules, the version of Unicode, and the weights. If they differ from
    /// those of a store, its column has another name, and a migration computes the words again.
    static func schema(_ name: String, weights: [Int64], formerNames: [String]) -> EntitySchema {
        let source = "\(rules) \(unicode.major).\(unicode.minor) \(weights)"
        let column = "words_" + String(source.utf8.fingerprint, radix: 16)
        return EntitySchema(
            name: name, columns: [Column(name: column, type: .text, isDerived: true)],
            hints: SchemaHints(formerNames: formerNames))
    }

    static func objects<E: Entity>(
        _ address: EntityAddress<E>, _ fields: [SearchField<E>], _ schema: EntitySchema
    ) -> [StorageObject] {
        let id = unsafe address.pointer.pointee.id.rawValue
        return [StorageObject(schema: schema, id: id, values: [.text(WordText(of: address, fields).text)])]
    }
}

extension WordText {
    /// The maximum number of words of an entity. Further words, in the order of the fields, are not found.
    private static var maximumCount: Int { 1_000 }

    /// The words of an entity.
    init<E: Entity>(of address: EntityAddress<E>, _ fields: [SearchField<E>]) {
        let entity = unsafe address.pointer.pointee
        var weights: [String: Weight] = [:]
        weights.reserveCapacity(100)
        for (number, field) in fields.enumerated() {
            for text in field.texts(entity) {
                for word in SearchWords(text) where weights.count < Self.maximumCount || weights[word] != nil {
                    // One access, because a word is hashed at each.
                    weights[word, default: Weight()].add(field.weight, of: number)
                }
            }
        }
        self.init(weights.mapValues(\.weight))
    }
}

/// The weight of a word in the fields up to one.
private struct Weight {
    private(set) var weight: Int64 = 0
    private var field = -1

    mutating func add(_ weight: Int64, of field: Int) {
        if self.field < field { (self.weight, self.field) = (self.weight + weight, field) }
    }
}
