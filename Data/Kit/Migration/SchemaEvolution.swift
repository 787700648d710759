internal import LarderDomain

/// The version of a service's schemas, and the changes that need more than the schemas and their hints.
///
/// Additive changes (an entity, a column that is nullable or has a default or is derived, a list, an index, a unique
/// group) need no other version. Every other change raises the version, so that a store can tell an older program from
/// a newer one.
public struct SchemaEvolution: Sendable {
    /// The version of the schemas, from 1. Stores without a recorded version have version 1.
    public let version: Int
    /// The oldest version that this program can migrate. Steps up to this version need not be kept.
    public let oldest: Int
    /// The steps, in ascending order of their versions.
    public let steps: [MigrationStep]
    /// The names of removed entities, whose data is deleted.
    public let dropped: [String]

    /// Version 1, without steps.
    public static let initial = SchemaEvolution()

    /// Creates a declaration, which is checked when a store opens.
    public init(version: Int = 1, oldest: Int = 1, steps: [MigrationStep] = [], dropped: [String] = []) {
        (self.version, self.oldest, self.steps, self.dropped) = (version, oldest, steps, dropped)
    }

    /// Throws `incompatible` for versions out of order, repeated names, and dropped entities that are declared.
    func check(against schemas: SchemaSet) throws(PersistencyError) {
        guard version >= 1, (1...version).contains(oldest) else {
            throw .incompatible(
                "schema version \(version), and the oldest that can be migrated, \(oldest), must be from 1")
        }
        for (index, step) in steps.enumerated() {
            guard step.version > 1, step.version <= version else {
                throw .incompatible(
                    "step '\(step.name)' has version \(step.version), but the versions of steps are 2 to \(version)")
            }
            guard index == 0 || steps[index - 1].version <= step.version else {
                throw .incompatible("step '\(step.name)' of version \(step.version) follows one of a later version")
            }
            guard !steps[..<index].contains(where: { $0.name == step.name }), !step.name.isEmpty else {
                throw .incompatible("two steps are named '\(step.name)', or the name is empty")
            }
            guard step.refusesBefore <= step.version else {
                throw .incompatible(
                    "step '\(step.name)' of version \(step.version) refuses versions before \(step.refusesBefore)")
            }
        }
        if let entity = dropped.first(where: { schemas[$0] != nil }) {
            throw .incompatible("\(entity) is declared as dropped, and is declared")
        }
    }
}
