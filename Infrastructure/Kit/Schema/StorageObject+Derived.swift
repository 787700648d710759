package import LarderData
package import LarderDomain

extension StorageObject {
    /// The object with recomputed derived columns, including those of owned objects. Throws `incompatible` if it cannot
    /// be mapped to its entity.
    package func derived(by derivation: SchemaSet.Derivation) throws(PersistencyError) -> StorageObject {
        do throws(PersistencyError) {
            // The mapper does not know further columns, and a derived column may be `null` until it is computed.
            return try filled(from: derivation(declared))
        } catch {
            throw .incompatible("the derived columns of \(reference) cannot be computed: \(error)")
        }
    }

    private func filled(from new: StorageObject) throws(PersistencyError) -> StorageObject {
        func counts(_ object: StorageObject) -> [Int] {
            zip(schema.children, object.children).map { $0.schema.isDerived ? 0 : $1.count }
        }
        guard new.id == id, new.values.count == schema.columns.count, counts(new) == counts(self) else {
            throw .incompatible("\(reference) does not map to the object that it was read from")
        }
        var filled = self
        for (index, column) in schema.columns.enumerated() where column.isDerived {
            filled.values[index] = new.values[index]
        }
        for list in children.indices {
            if schema.children[list].schema.isDerived {
                filled.children[list] = new.children[list]
                continue
            }
            for index in children[list].indices {
                filled.children[list][index] = try children[list][index].filled(from: new.children[list][index])
            }
        }
        return filled
    }
}
