package import LarderDomain

extension ObjectState {
    /// The root with these values in a unique group.
    ///
    /// - Complexity: O(1).
    package func id(of schema: EntitySchema, group: Int, values: [Value]) -> RawID? {
        uniques[UniqueValues(schema: schema.name, group: group, values: values)]
    }

    /// A reference whose target is not stored, with the root that has it, if there is one.
    ///
    /// - Complexity: O(*n*) for *n* targets.
    package func danglingReference() -> (holder: EntityReference, reference: Dangling)? {
        for (target, holders) in referrers {
            if let schema = schemas[target.entity], table[EntityKey(schema, target.id)] != nil { continue }
            for root in holders.lazy.compactMap({ table[$0] }) {
                for reference in root.outgoingReferences where reference.target == target {
                    return (root.reference, reference.dangling)
                }
            }
        }
        return nil
    }
}
