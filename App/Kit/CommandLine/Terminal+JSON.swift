#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Terminal {
    /// JSON on one line of standard output, for programs.
    ///
    /// - Throws: `CommandFailure` when it cannot be written.
    public static func output(json: some JSONConvertible) throws(CommandFailure) {
        try output(json.json.bytes() + [UInt8(ascii: "\n")])
    }

    /// A value as JSON on one line of standard output, for programs; members in the order of their names.
    ///
    /// - Throws: `CommandFailure` when it cannot be written.
    public static func output(json value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try output(Array(try encoder.encode(value)) + [UInt8(ascii: "\n")])
    }
}
