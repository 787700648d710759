#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension Terminal {
    /// Prints JSON on one line of standard output, for programs.
    ///
    /// - Throws: `CommandFailure` when it cannot be written.
    public static func output(json: some JSONConvertible) throws(CommandFailure) {
        try output(json.json.bytes() + [UInt8(ascii: "\n")])
    }

    /// Prints a value as JSON on one line of standard output, for programs, with members sorted by name.
    ///
    /// - Throws: `CommandFailure` when it cannot be written.
    public static func output(json value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        try output(Array(try encoder.encode(value)) + [UInt8(ascii: "\n")])
    }
}
