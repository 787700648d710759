public import LarderDomain

/// Reads the members of an object, and collects all errors with their JSON pointers instead of stopping at the first.
///
/// An optional reader returns `nil` for a member that is absent or null, without an error. A required one notes that
/// the member is missing. Both note a value of the wrong type and return `nil`. Unknown members are ignored.
/// ``check()`` finishes the reading.
public struct JSONFields {
    /// The maximum number of errors; it bounds the response to a long list of invalid elements. After one more, lists
    /// are not read to their end.
    public static let errorLimit = 100

    /// The pointer to the object.
    public let pointer: String
    /// The errors, in the order of reading.
    public private(set) var errors: [FieldError] = []
    /// Whether there are more errors than the maximum.
    var hasMore = false
    /// `nil` if the value is not an object, which is then the only error.
    private let members: [JSON.Member]?

    /// Reads an object at a pointer into the body; a value of another type is noted as an error.
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

    /// Whether a member is present and null: the readers below treat it as absent.
    public func isNull(_ name: String) -> Bool {
        members?.contains { $0.name == name && $0.value == .null } ?? false
    }

    /// Notes an error of a member, as a predicate: `must be a date`.
    public mutating func note(_ name: String, _ detail: String) {
        note([FieldError(pointer: JSONPointer.to(name, in: pointer), detail: detail)])
    }

    /// Notes the error of an entity's initialiser for the member with the field's name.
    public mutating func note(_ field: InvalidField) {
        note(field.field, field.reason)
    }

    /// Notes errors of nested values.
    mutating func note(_ more: [FieldError]) {
        let noted = more.prefix(Self.errorLimit - errors.count)
        errors += noted
        if noted.count < more.count { hasMore = true }
    }

    /// Notes a missing member, unless it is present.
    mutating func require(_ name: String) {
        if isObject, self[name] == nil { note(name, "is required") }
    }

    /// Calls an initialiser; notes its error and returns `nil` if it throws.
    public mutating func made<Made>(_ make: () throws(InvalidField) -> Made) -> Made? {
        do {
            return try make()
        } catch {
            note(error)
            return nil
        }
    }

    /// Finishes reading, and calls an initialiser with the values of required readers; notes its error, too.
    ///
    /// - Throws: `InvalidFields` when there are errors.
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

    /// Finishes reading.
    ///
    /// - Throws: `InvalidFields` when there are errors.
    public func check() throws(InvalidFields) {
        if !errors.isEmpty { throw InvalidFields(errors, isComplete: !hasMore) }
    }

    /// Finishes reading, and unwraps the values of required readers.
    ///
    /// - Throws: `InvalidFields` when there are errors, or when a value is `nil` nevertheless.
    public func check<each Value>(_ values: repeat (each Value)?) throws(InvalidFields) -> (repeat each Value) {
        try check()
        return (repeat try present(each values))
    }

    private func present<Value>(_ value: Value?) throws(InvalidFields) -> Value {
        guard let value else { throw InvalidFields([FieldError(pointer: pointer, detail: "is not complete")]) }
        return value
    }
}
