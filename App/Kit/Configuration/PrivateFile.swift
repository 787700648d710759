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
    /// The text of a secret file, without a line break at its end.
    ///
    /// - Throws: `CommandFailure` with the path, and without the text.
    static func text(at path: String) throws(CommandFailure) -> String {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw CommandFailure(.configuration, "the secret file \(path) cannot be read, or is not UTF-8")
        }
        try check(path, "secret file")
        return text.last?.isNewline == true ? String(text.dropLast()) : text
    }

    /// The rule for every file that contains a secret: mode 0400 or 0600, or 0440 or 0640 with a group of this process,
    /// as mounted secrets have them.
    ///
    /// - Parameter kind: The kind of file, for the error.
    static func check(_ path: String, _ kind: String) throws(CommandFailure) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else {
            throw CommandFailure(.configuration, "the \(kind) \(path) cannot be read")
        }
        let isPrivate =
            switch status.st_mode & 0o7777 {
            case 0o400, 0o600: true
            case 0o440, 0o640: groups.contains(status.st_gid)
            default: false
            }
        guard isPrivate else {
            throw CommandFailure(
                .configuration, "the \(kind) \(path) can be read by other users",
                advice: "Run: chmod 600 \(path). Mode 440 or 640 is for a group of the service.")
        }
    }

    /// The groups of this process.
    private static var groups: [gid_t] {
        var groups = [gid_t](repeating: 0, count: Int(max(0, getgroups(0, nil))))
        let count = unsafe getgroups(Int32(groups.count), &groups)
        return groups.prefix(Int(max(0, count))) + [getegid()]
    }
}
