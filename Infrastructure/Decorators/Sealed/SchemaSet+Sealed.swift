public import LarderData
public import LarderDomain

extension SchemaSet {
    /// The schemas with which the base of a ``SealedStore`` is opened, backed up, and restored.
    ///
    /// Sealed columns are blobs, each column with equality has a hash column in addition, `<entity>_<column>_hash`, and
    /// the root `sealing_key` contains the ids of the keys in use.
    ///
    /// - Parameter keys: Without keys, a new derived column of a root with sealed columns cannot be computed.
    /// - Throws: `incompatible` for a name that is taken, or a migration step that reads or adds a sealed column.
    public func sealedForm(_ keys: SealingKeys?) throws(PersistencyError) -> SchemaSet {
        for step in evolution.steps {
            var named = step.reads
            for case .column(let column) in step.adds { named.append(column) }
            let sealed = self[step.entity]?.columns.filter { $0.sealing != nil }.map(\.name) ?? []
            guard let column = named.first(where: { sealed.contains($0.name) }) else { continue }
            throw .incompatible("step '\(step.name)' uses \(step.entity).\(column.name), which is sealed")
        }
        var derivations: [String: Derivation] = [:]
        let forms = roots.map(\.sealedForm)
        for (root, form) in zip(roots, forms) {
            let derivation = derivation(of: root)
            guard root.sealedColumn != nil else {
                derivations[root.name] = derivation
                continue
            }
            guard let keys else { continue }
            let sealer = Sealer(keys: keys)
            derivations[root.name] = { object throws(PersistencyError) in
                let opened = try object.opened(by: sealer, root, checksHashes: false)
                return try (derivation?(opened) ?? opened).sealed(by: sealer, root, form)
            }
        }
        return try SchemaSet(forms + [KeyRecord.schema], derivations: derivations, evolution: evolution)
    }
}
