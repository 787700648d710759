#if canImport(FoundationEssentials)
private import FoundationEssentials
#else
private import Foundation
#endif
#if canImport(Glibc)
private import Glibc
#elseif canImport(Musl)
private import Musl
#else
private import Darwin
#endif

/// A file with secrets.
enum PrivateFile {
    /// The text of a file that only its owner can read, without a line break at its end.
    ///
    /// - Throws: `CommandFailure` with the path, and without the text.
    static func text(at path: String) throws(CommandFailure) -> String {
        var status = stat()
        guard unsafe stat(path, &status) == 0, let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw CommandFailure(.configuration, "the secret file \(path) cannot be read, or is not UTF-8")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw CommandFailure(
                .configuration, "the secret file \(path) can be read by other users", advice: "Run: chmod 600 \(path)")
        }
        return text.last?.isNewline == true ? String(text.dropLast()) : text
    }
}
