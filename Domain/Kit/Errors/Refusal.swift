/// The reason why a delete or change is refused: an existing reference, or a domain rule.
public struct Refusal: Hashable, Sendable {
    /// The entity to be deleted or changed.
    public let target: EntityReference
    /// The entity whose schema has the delete rule [refusal.1]; for a domain rule, the target's.
    public let entity: String
    /// The column or relationship of `entity` [refusal.2].
    public let column: String
    /// One entity that refers to the target [refusal.3]; for a domain rule, the target.
    public let example: RawID
    /// The domain rule, as a predicate of the target: "is the only admin". `nil` for the delete rule of a schema.
    public let rule: String?

    /// Describes a delete rule of a schema, with one referring entity.
    public init(target: EntityReference, entity: String, column: String, example: RawID) {
        (self.target, self.entity, self.column, self.example) = (target, entity, column, example)
        rule = nil
    }

    /// Describes a domain rule.
    ///
    /// - Parameters:
    ///   - target: The entity to be deleted or changed.
    ///   - column: The target's column that the rule concerns.
    ///   - rule: See ``rule``.
    public init(target: EntityReference, column: String, rule: String) {
        (self.target, entity, self.column, example) = (target, target.entity, column, target.id)
        self.rule = rule
    }
}
