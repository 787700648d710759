#if canImport(FoundationEssentials)
private import FoundationEssentials
#else
private import Foundation
#endif

/// The files that commands write.
public enum OutputFile {
    /// Writes or replaces a file atomically: readers see the old or the new contents, never a part.
    ///
    /// - Throws: `CommandFailure` when it cannot be written.
    public static func write(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
        do {
            try Data(bytes).write(to: URL(filePath: path), options: .atomic)
        } catch {
            throw CommandFailure(
                .outputFailed, "cannot write \(path)",
                advice: "Check that its folder exists and is writable.")
        }
    }
}
