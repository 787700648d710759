/// A change of stored objects by a function: to split or join values, change a unit, move a value into another entity,
/// or delete objects.
///
/// A step is written once, for the shape of its time, and runs on every store: once for each object of an entity, in
/// ascending order of ids, within the migration's transaction. It never changes versions. Only a bounded number of
/// objects is in memory, except in stores that keep everything in memory.
///
/// ```swift
/// MigrationStep(
///     "split-name", version: 2, entity: "user", reading: [Column(name: "name", type: .text)],
///     adding: [.column(Column(name: "first_name", type: .text)), .column(Column(name: "last_name", type: .text))],
///     removing: ["name"]
/// ) { user, context in
///     let parts = try user.text("name").split(separator: " ", maxSplits: 1)
///     var new = context.reshaped(user)
///     try new.set("first_name", .text(String(parts.first ?? "")))
///     try new.set("last_name", .text(parts.count > 1 ? String(parts[1]) : ""))
///     return new
/// }
/// ```
public struct MigrationStep: Sendable {
    /// Changes one object. Receives it in the old shape, and returns it in the new shape, with the same id, or `nil` to
    /// delete a root. Must not have other effects: a migration may fail and run again.
    public typealias Transform = @Sendable (StorageObject, any MigrationContext) throws -> StorageObject?

    /// A member that a step adds.
    public enum Member: Sendable {
        /// A column. If the entity has it already, with the same type, its values are kept.
        case column(Column)
        /// A list of owned objects of a new schema.
        case children(ChildRelationship)
        /// A list of links.
        case links(LinkRelationship)
    }

    /// The name, unique among the steps of a service; stores record it.
    public let name: String
    /// The version that the step leads to: it runs for stores of a lower version.
    public let version: Int
    /// Programs of a lower version are refused afterwards. By default, the step's version. A lower number permits a
    /// rolling deployment, if older programs can read and write the new shape.
    public let refusesBefore: Int
    /// The entity, a root or an owned one, whose objects the step changes.
    public let entity: String
    /// The columns that the function reads, as of the versions before. A nullable column, or one with a default, may be
    /// missing in a store of an even earlier version; the step adds it then.
    public let reads: [Column]
    /// The members that the function sets. A member that is not nullable has no value until then.
    public let adds: [Member]
    /// The names of members that end with the step.
    public let removes: [String]
    /// New root schemas for objects that the function inserts, as of this version.
    public let creates: [EntitySchema]
    package let transform: Transform

    /// Creates a step that runs for stores of a lower version than `version`.
    public init(
        _ name: String, version: Int, refusesBefore: Int? = nil, entity: String, reading reads: [Column] = [],
        adding adds: [Member] = [], removing removes: [String] = [], creating creates: [EntitySchema] = [],
        transform: @escaping Transform
    ) {
        (self.name, self.version, self.entity) = (name, version, entity)
        self.refusesBefore = refusesBefore ?? version
        (self.reads, self.adds, self.removes, self.creates) = (reads, adds, removes, creates)
        self.transform = transform
    }

    /// The declaration as text, without the function; a store records its checksum to report an edited step.
    package var declaration: String {
        var (columns, children, links) = ([Column](), [ChildRelationship](), [LinkRelationship]())
        for member in adds {
            switch member {
            case .column(let column): columns.append(column)
            case .children(let list): children.append(list)
            case .links(let list): links.append(list)
            }
        }
        let schemas =
            [
                EntitySchema(name: entity, columns: reads),
                EntitySchema(name: entity, columns: columns, children: children, links: links),
            ] + creates
        let numbers = "\(version) \(refusesBefore)"
        return ([name, numbers] + removes + schemas.map(\.declaration)).joined(separator: "\n")
    }
}
