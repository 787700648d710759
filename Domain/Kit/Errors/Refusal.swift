/// Why something may not be deleted or changed: other entities refer to it, or a rule of the domain forbids it.
public struct Refusal: Hashable, Sendable {
    /// The entity that was to be deleted or changed.
    public let target: EntityReference
    /// The entity whose schema refuses; under a rule of the domain, the target's own.
    public let entity: String
    /// Its column or relationship.
    public let column: String
    /// One entity that refers to the target; under a rule of the domain, the target.
    public let example: RawID
    /// The rule of the domain, as the predicate of a sentence about the target: "is the only admin". `nil` for the delete
    /// rule of a schema.
    public let rule: String?

    /// Names the delete rule of a schema and one entity under it.
    public init(target: EntityReference, entity: String, column: String, example: RawID) {
        (self.target, self.entity, self.column, self.example) = (target, entity, column, example)
        rule = nil
    }

    /// Names a rule of the domain.
    ///
    /// - Parameters:
    ///   - target: The entity that was to be deleted or changed.
    ///   - column: Its column that the rule is about.
    ///   - rule: See ``rule``.
    public init(target: EntityReference, column: String, rule: String) {
        (self.target, entity, self.column, example) = (target, target.entity, column, target.id)
        self.rule = rule
    }
}
