public import LarderDomain

/// Reads the members of an object, and notes each trouble with its JSON pointer instead of stopping at the first.
///
/// An optional reader gives `nil` for a member that is absent or null, and notes nothing. A required one notes that it
/// must be there. Both note a value of another type, and give `nil` for it. Members that nobody asks for are ignored.
/// ``check()`` ends the reading.
public struct JSONFields {
    /// How many troubles are kept; a list of very many wrong elements makes no endless answer.
    public static let errorLimit = 100

    /// Where the object stands.
    public let pointer: String
    /// What was noted, in the order of reading.
    public private(set) var errors: [FieldError] = []
    /// `nil` when it is no object, which is then the only trouble with it.
    private let members: [JSON.Member]?

    public init(_ json: JSON, at pointer: String = "") {
        self.pointer = pointer
        if case .object(let members) = json {
            self.members = members
        } else {
            members = nil
            errors = [FieldError(pointer: pointer, detail: "must be an object")]
        }
    }

    var isObject: Bool { members != nil }

    /// A member's value; `nil` when it is absent or null.
    public subscript(name: String) -> JSON? {
        guard let value = members?.first(where: { $0.name == name })?.value, value != .null else { return nil }
        return value
    }

    /// Whether a member is there, and null: to the readers below that is as if it were absent.
    public func isNull(_ name: String) -> Bool {
        members?.contains { $0.name == name && $0.value == .null } ?? false
    }

    public mutating func note(_ name: String, _ detail: String) {
        note([FieldError(pointer: JSONPointer.to(name, in: pointer), detail: detail)])
    }

    /// Notes what an entity's initialiser refused, as a trouble with the member of the field's name.
    public mutating func note(_ field: InvalidField) {
        note(field.field, field.reason)
    }

    /// Notes troubles of whatever stands below.
    mutating func note(_ more: [FieldError]) {
        errors += more.prefix(max(0, Self.errorLimit - errors.count))
    }

    /// Notes that a member must be there, unless it is.
    mutating func require(_ name: String) {
        if isObject, self[name] == nil { note(name, "must be there") }
    }

    /// Makes something of what was read; notes what an initialiser refuses, and gives `nil` then.
    public mutating func made<Made>(_ make: () throws(InvalidField) -> Made) -> Made? {
        do {
            return try make()
        } catch {
            note(error)
            return nil
        }
    }

    /// Ends the reading, and makes something of what required readers gave; also notes what an initialiser refuses.
    ///
    /// - Throws: `InvalidFields` when anything was noted.
    public mutating func make<each Value, Made>(
        _ values: repeat (each Value)?, by make: (repeat each Value) throws(InvalidField) -> Made
    ) throws(InvalidFields) -> Made {
        let present: (repeat each Value)
        do {
            present = (repeat try self.present(each values))
        } catch {
            try check()
            throw error
        }
        let made = made { () throws(InvalidField) in try make(repeat each present) }
        return try check(made)
    }

    /// Ends the reading.
    ///
    /// - Throws: `InvalidFields` when anything was noted.
    public func check() throws(InvalidFields) {
        if !errors.isEmpty { throw InvalidFields(errors) }
    }

    /// Ends the reading, and unwraps what required readers gave.
    ///
    /// - Throws: `InvalidFields` when anything was noted, or when a value is `nil` nevertheless.
    public func check<each Value>(_ values: repeat (each Value)?) throws(InvalidFields) -> (repeat each Value) {
        try check()
        return (repeat try present(each values))
    }

    private func present<Value>(_ value: Value?) throws(InvalidFields) -> Value {
        guard let value else { throw InvalidFields([FieldError(pointer: pointer, detail: "is not complete")]) }
        return value
    }
}
