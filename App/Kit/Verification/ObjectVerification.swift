internal import LarderData
internal import LarderDomain

/// The facts about one root, without its values: computed during the scan, so that a page needs little memory.
struct ObjectVerification: Sendable {
    /// A digest of the values of a group of unique columns.
    struct UniqueValues: Hashable, Sendable {
        let schema: String
        let group: Int
        let digest: [Int]
    }

    let id: RawID
    let targets: [EntityKey]
    let uniques: [UniqueValues]
    private(set) var problems: [String] = []

    /// - Parameter schemas: The schemas of the store, which can map the object to its entity and back.
    init(_ object: StorageObject, in schemas: SchemaSet) {
        id = object.id
        if !object.hasValidVersion { problems.append("has the version \(object.version), which is outside its range") }
        targets = object.targets(in: schemas)
        uniques = Self.uniques(of: object)
        guard let derivation = schemas.derivation(of: object.schema) else { return }
        do throws(PersistencyError) {
            compare(object, try derivation(object), path: "")
        } catch {
            problems.append("cannot be read as an entity: \(error)")
        }
    }

    /// A group that contains `null` has no values.
    static func uniques(of object: StorageObject) -> [UniqueValues] {
        object.schema.uniques.enumerated().compactMap { group, columns in
            let values = columns.map { object.values[$0] }
            if values.contains(.null) { return nil }
            // Two hashes of 64 bits each; if they are equal, the values are compared.
            let digest = [0, 1].map { seed in
                var hasher = Hasher()
                hasher.combine(seed)
                hasher.combine(values)
                return hasher.finalize()
            }
            return UniqueValues(schema: object.schema.name, group: group, digest: digest)
        }
    }

    /// Compares an object with itself after mapping to its entity and back.
    private mutating func compare(_ object: StorageObject, _ computed: StorageObject, path: String) {
        guard object.id == computed.id, object.values.count == computed.values.count,
            object.children.map({ $0.map(\.id) }) == computed.children.map({ $0.map(\.id) })
        else { return problems.append("\(path)owns objects other than those of its entity") }
        for (index, column) in object.schema.columns.enumerated() where object.values[index] != computed.values[index] {
            problems.append(
                column.isDerived
                    ? "\(path)\(column.name) differs from the value computed from other columns"
                    : "\(path)\(column.name) has a value that its entity writes differently")
        }
        if object.links != computed.links { problems.append("\(path)has links that its entity writes differently") }
        for (list, others) in zip(object.children, computed.children) {
            for (child, other) in zip(list, others) {
                compare(child, other, path: "\(path)\(child.schema.name) \(child.id): ")
            }
        }
    }
}

extension StorageObject {
    /// The roots that the aggregate refers to, in columns and links of the root and of its owned objects.
    fileprivate func targets(in schemas: SchemaSet) -> [EntityKey] {
        var targets: [EntityKey] = []
        for (column, value) in zip(schema.columns, values) {
            guard let target = column.reference.flatMap({ schemas[$0.target] }), case .id(let id) = value else {
                continue
            }
            targets.append(EntityKey(target, id))
        }
        for (link, ids) in zip(schema.links, links) {
            if let target = schemas[link.target] { targets += ids.map { EntityKey(target, $0) } }
        }
        return targets + children.joined().flatMap { $0.targets(in: schemas) }
    }
}

extension EntitySchema {
    /// Whether an object, or one that it owns, has BLOBs.
    var ownsBlobs: Bool { hasBlobs || children.contains(where: \.schema.ownsBlobs) }
}
