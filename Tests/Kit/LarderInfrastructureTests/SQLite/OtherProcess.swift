#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The signals between a test and its child process: files that they create next to the database.
enum OtherProcess {
    struct Silence: Error { let name: String }

    static func say(_ name: String, beside path: String) {
        _ = FileManager.default.createFile(atPath: "\(path).\(name)", contents: Data())
    }

    /// - Throws: ``Silence`` after two minutes. With many concurrent tests, a turn can take long.
    static func hear(_ name: String, beside path: String) async throws {
        for _ in 0..<24_000 {
            if FileManager.default.fileExists(atPath: "\(path).\(name)") { return }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw Silence(name: name)
    }

    /// Ends this process as a loss of power would: without closing or flushing anything.
    static func die() { kill(getpid(), SIGKILL) }
}
