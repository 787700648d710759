extension PersistencyError {
    /// Whether a concurrent commit has invalidated the state that a change was based on, so that a retry on the current
    /// state may succeed. Every retry in the kit uses this test.
    ///
    /// - Parameters:
    ///   - found: Whether the change was based on the presence of an entity.
    ///   - missed: Whether it was based on the absence of an entity.
    ///   - deleted: Whether it deletes the entity with an id. Its delete rules apply to newer references, too.
    package func isLoss(
        found: (EntityReference) -> Bool = { _ in false }, missed: (EntityReference) -> Bool = { _ in false },
        deleted: (RawID) -> Bool = { _ in false }
    ) -> Bool {
        switch self {
        case .conflict, .contention: true
        case .notFound(let reference): found(reference)
        case .duplicate(let duplicate):
            duplicate.columns == ["id"] && missed(EntityReference(entity: duplicate.entity, id: duplicate.existing))
        case .dangling(let dangling): deleted(dangling.id)
        default: false
        }
    }
}
