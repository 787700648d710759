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

/// How a test and a process that it started talk: by files beside the database that come to be.
enum OtherProcess {
    struct Silence: Error { let name: String }

    static func say(_ name: String, beside path: String) {
        _ = FileManager.default.createFile(atPath: "\(path).\(name)", contents: Data())
    }

    /// - Throws: ``Silence`` if nothing is heard for two minutes; where many tests run at once a turn can take long.
    static func hear(_ name: String, beside path: String) async throws {
        for _ in 0..<24_000 {
            if FileManager.default.fileExists(atPath: "\(path).\(name)") { return }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw Silence(name: name)
    }

    /// Ends this process as a loss of power would: nothing is closed, nothing is said.
    static func die() { kill(getpid(), SIGKILL) }
}
