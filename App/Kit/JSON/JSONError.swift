/// A parsing error with its position.
public struct JSONError: Error, Equatable, Sendable {
    /// The reason, as a phrase in lower case. It does not repeat any input.
    public let reason: String
    /// The byte offset of the error.
    public let offset: Int
    /// The line of the error, from 1.
    public let line: Int
    /// The column of the error, from 1, in Unicode scalars.
    public let column: Int
    /// The innermost value that contains the error, as a JSON pointer; for a duplicate name, its second value. `nil` if
    /// it exceeds 1,000 bytes.
    public internal(set) var pointer: String?

    /// Whether the input is valid JSON, refused because of the content of a text. ``reason`` is then a predicate of the
    /// value at ``pointer``.
    public internal(set) var isAboutText = false

    /// Whether the input may be valid JSON, refused because it has too many values.
    public internal(set) var isAboutCount = false

    init(_ reason: String, at offset: Int, in bytes: [UInt8], pointer: String = "") {
        (self.reason, self.offset) = (reason, offset)
        let before = bytes.prefix(offset)
        line = 1 + before.count { $0 == UInt8(ascii: "\n") }
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        column = 1 + before[start...].count { !UTF8.isContinuation($0) }
        self.pointer = pointer
    }

    /// The same error, within a member of an object whose own pointer is not yet known.
    func inside(_ name: String) -> JSONError { inside(below: JSONPointer.to(name, in: "")) }

    /// The same error, within an element of an array whose own pointer is not yet known.
    func inside(_ index: Int) -> JSONError { inside(below: JSONPointer.to(index, in: "")) }

    private func inside(below prefix: String) -> JSONError {
        var error = self
        error.pointer = pointer.map { prefix + $0 }.flatMap { $0.utf8.count > 1_000 ? nil : $0 }
        return error
    }
}

extension JSONError: CustomStringConvertible {
    /// The position and the reason: `line 2, column 7: a comma must be followed by a name`.
    public var description: String { "line \(line), column \(column): \(reason)" }
}
