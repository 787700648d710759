public import LarderDomain

/// The removal of all references to a target through one column or list of links: columns become `null` [removal.1],
/// and links are removed from their lists without changing the order of the rest [removal.2].
///
/// It affects every root that refers to the target there, itself or in an owned object at any depth [removal.3], and
/// names none of them. The target need not exist [removal.4].
public struct ReferenceRemoval: Sendable, Equatable {
    /// The id of the referenced root.
    public let target: RawID
    /// The column or list of links, from `SchemaSet.references(to:)` or `EntitySchema.references`.
    public let reference: IncomingReference

    /// Removes all references to a target through one column or list of links.
    public init(of target: RawID, from reference: IncomingReference) {
        self.target = target
        self.reference = reference
    }
}

/// Removals grouped for application to many roots: each root is searched once per reference, for any number of targets.
public struct PreparedRemovals: Sendable {
    /// The targets to remove from one reference.
    public typealias Group = (reference: IncomingReference, targets: Set<RawID>)

    /// The groups by root schema name.
    public private(set) var groups: [String: [Group]] = [:]

    /// Groups removals by the roots' schema and by reference.
    public init(_ removals: [ReferenceRemoval]) {
        for removal in removals { insert(removal) }
    }

    mutating func insert(_ removal: ReferenceRemoval) {
        let root = removal.reference.root.name
        if let index = groups[root]?.firstIndex(where: { $0.reference == removal.reference }) {
            groups[root]?[index].targets.insert(removal.target)
        } else {
            groups[root, default: []].append((removal.reference, [removal.target]))
        }
    }

    /// Whether a target is removed from a reference.
    public func contains(_ target: RawID, from reference: IncomingReference) -> Bool {
        groups[reference.root.name]?.contains { $0.reference == reference && $0.targets.contains(target) } ?? false
    }

    /// A root without the references, at the same version; `nil` if it has none of them. Idempotent: a second
    /// application returns `nil`. A target need not exist.
    ///
    /// - Complexity: O(*n*) for *n* objects and links of the aggregate.
    public func applied(to root: StorageObject) -> StorageObject? {
        if groups.isEmpty { return nil }
        var changed: StorageObject?
        for (reference, targets) in groups[root.schema.name] ?? []
        where reference.refers(changed ?? root, to: targets) {
            var object = changed ?? root
            reference.remove(targets, from: &object)
            changed = object
        }
        return changed
    }

    /// A reference of the root that a removal affects, as an error.
    func dangling(in root: StorageObject) -> Dangling? {
        for (reference, targets) in groups[root.schema.name] ?? [] {
            guard let target = targets.first(where: { reference.refers(root, to: [$0]) }) else { continue }
            return Dangling(entity: reference.holder.name, column: reference.memberName, id: target)
        }
        return nil
    }
}

extension IncomingReference {
    /// Whether an aggregate refers to one of some targets through this reference.
    ///
    /// - Parameters:
    ///   - object: An aggregate of ``root``.
    ///   - targets: The ids of the targets.
    public func refers(_ object: StorageObject, to targets: Set<RawID>) -> Bool {
        refers(object, path[...], to: targets)
    }

    private func refers(_ object: StorageObject, _ path: ArraySlice<Int>, to targets: Set<RawID>) -> Bool {
        if let list = path.first {
            return object.children[list].contains { refers($0, path.dropFirst(), to: targets) }
        }
        switch member {
        case .column(let index): if case .id(let id) = object.values[index] { return targets.contains(id) }
        case .link(let index): return object.links[index].contains(where: targets.contains)
        }
        return false
    }

    fileprivate func remove(_ targets: Set<RawID>, from object: inout StorageObject) {
        change(&object, path[...]) { holder in
            switch member {
            case .column(let index):
                if case .id(let id) = holder.values[index], targets.contains(id) { holder.values[index] = .null }
            case .link(let index): holder.links[index].removeAll(where: targets.contains)
            }
        }
    }

    /// Removes from an aggregate the owned objects that refer to a target; never removes the root.
    func removeHolders(from object: inout StorageObject, referringTo target: RawID) {
        guard let list = path.last else { return }
        change(&object, path.dropLast()) { owner in owner.children[list].removeAll { refers($0, [], to: [target]) } }
    }

    private func change(
        _ object: inout StorageObject, _ path: ArraySlice<Int>, _ body: (inout StorageObject) -> Void
    ) {
        guard let list = path.first else { return body(&object) }
        for index in object.children[list].indices { change(&object.children[list][index], path.dropFirst(), body) }
    }
}
