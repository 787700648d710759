internal import LarderDomain

extension JSON {
    /// The compact text in UTF-8: members in their order, no blanks, a decimal with all digits of its scale, and other
    /// numbers in the shortest form that parses as the same number.
    public func bytes() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(1_024)
        write(into: &bytes)
        return bytes
    }

    /// Appends the compact text, see ``bytes()``.
    public func write(into bytes: inout [UInt8]) {
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let value): bytes.append(contentsOf: value ? "true".utf8 : "false".utf8)
        case .integer(let value): Self.write(value, into: &bytes)
        case .decimal(let value): bytes.append(contentsOf: value.description.utf8)
        case .number(let value): bytes.append(contentsOf: value.isFinite ? value.description.utf8 : "null".utf8)
        case .string(let value): Self.write(value, into: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                element.write(into: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.write(member.name, into: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(into: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private static func write(_ value: Int64, into bytes: inout [UInt8]) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        let start = bytes.count
        var rest = value.magnitude
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
    }
}
