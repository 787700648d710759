/// Why bytes are no JSON that is taken here, and where that shows.
public struct JSONError: Error, Equatable, Sendable {
    /// What is wrong, as a phrase that begins in lower case. It repeats nothing of the input.
    public let reason: String
    /// How many bytes stand before the place.
    public let offset: Int
    /// The line of the place, from 1.
    public let line: Int
    /// The place in its line, from 1, in Unicode scalars.
    public let column: Int
    /// The innermost value around the place, as a JSON pointer; for a name that is there twice, its second value.
    /// `nil` when it has over 1,000 bytes.
    public internal(set) var pointer: String?

    /// Whether the input is JSON, and refused for what a text in it has. ``reason`` is then a predicate of the value at
    /// ``pointer``.
    public internal(set) var isAboutText = false

    init(_ reason: String, at offset: Int, in bytes: [UInt8], pointer: String = "") {
        (self.reason, self.offset) = (reason, offset)
        let before = bytes.prefix(offset)
        line = 1 + before.count { $0 == UInt8(ascii: "\n") }
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        column = 1 + before[start...].count { !UTF8.isContinuation($0) }
        self.pointer = pointer
    }

    /// The same trouble, in a member of an object whose own pointer is not yet known.
    func inside(_ name: String) -> JSONError { inside(below: JSONPointer.to(name, in: "")) }

    /// The same trouble, in an element of an array whose own pointer is not yet known.
    func inside(_ index: Int) -> JSONError { inside(below: JSONPointer.to(index, in: "")) }

    private func inside(below prefix: String) -> JSONError {
        var error = self
        error.pointer = pointer.map { prefix + $0 }.flatMap { $0.utf8.count > 1_000 ? nil : $0 }
        return error
    }
}

extension JSONError: CustomStringConvertible {
    /// The place and the reason: `line 2, column 7: a comma must be followed by a name`.
    public var description: String { "line \(line), column \(column): \(reason)" }
}
