public import LarderDomain

/// Texts of an entity that a search finds; see ``MappedMember/search(_:_:)``.
public struct SearchField<E: Entity>: Sendable {
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

/// The rows of a search: one for each distinct word of an entity.
@usableFromInline enum SearchTerms {
    /// The maximum number of rows of an entity. Further words, in the order of the fields, are not found.
    static let maximumCount = 1_000
    static let (token, weight) = (0, 1)

    static func schema(_ name: String, formerNames: [String]) -> EntitySchema {
        let columns = [("token", ColumnType.text), ("weight", .integer)].map {
            Column(name: $0.0, type: $0.1, isDerived: true)
        }
        return EntitySchema(
            name: name, columns: columns, indexes: [[token]], hints: SchemaHints(formerNames: formerNames))
    }

    /// The rows in the order of the words. Their ids depend only on the entity's id and the words.
    static func objects<E: Entity>(
        _ address: EntityAddress<E>, _ fields: [SearchField<E>], _ schema: EntitySchema
    ) -> [StorageObject] {
        let entity = unsafe address.pointer.pointee
        var weights: [String: Weight] = [:]
        for (number, field) in fields.enumerated() {
            for text in field.texts(entity) {
                for word in SearchWords(text) where weights.count < maximumCount || weights[word] != nil {
                    // One access, because a word is hashed at each.
                    weights[word, default: Weight()].add(field.weight, of: number)
                }
            }
        }
        let owner = entity.id.rawValue
        let high = (owner.high &* 0x9E37_79B9_7F4A_7C15 ^ owner.low).mixed
        var taken: Set<UInt64> = []
        // Words are in NFC, in which the order of scalars is that of bytes.
        return weights.sorted { $0.key < $1.key }.map { token, weight in
            var low = token.idBits
            // Words with equal bits have consecutive ids, for which the bits leave place.
            while !taken.insert(low).inserted { low += 1 }
            return StorageObject(
                schema: schema, id: RawID(high: high, low: low), values: [.text(token), .integer(weight.weight)])
        }
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

extension String {
    /// A stable hash, without the ten last bits.
    fileprivate var idBits: UInt64 {
        utf8.fingerprint.mixed & ~0x3FF
    }
}

extension UInt64 {
    /// A permutation of all numbers in which each bit depends on all bits.
    fileprivate var mixed: UInt64 {
        var bits = (self ^ self >> 33) &* 0xff51_afd7_ed55_8ccd
        bits = (bits ^ bits >> 33) &* 0xc4ce_b9fe_1a85_ec53
        return bits ^ bits >> 33
    }
}
