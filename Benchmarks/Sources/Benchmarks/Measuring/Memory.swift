#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Glibc)
import Glibc
#endif

/// The memory of this process, in megabytes; 0 without `/proc`.
enum Memory {
    /// The resident memory.
    static var resident: Double { status("VmRSS:") }

    /// The greatest resident memory since the process began.
    static var peak: Double { status("VmHWM:") }

    /// The maximum growth of the process's resident memory while some work runs.
    static func growth(_ work: () async throws -> Void) async rethrows -> Double {
        #if canImport(Glibc)
        // Freed memory that the process retains would hide the growth.
        trim()
        #endif
        // Sets the peak to the current resident memory.
        try? Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs"))
        let before = resident
        try await work()
        return max(0, peak - before)
    }

    #if canImport(Glibc)
    /// Returns freed memory to the system. Glibc's module does not declare the function.
    private static func trim() {
        guard let symbol = dlsym(nil, "malloc_trim") else { return }
        _ = unsafeBitCast(symbol, to: (@convention(c) (Int) -> Int32).self)(0)
    }
    #endif

    private static func status(_ field: String) -> Double {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix(field) }
        return Double(line?.split(whereSeparator: { " \t".contains($0) }).dropFirst().first ?? "0").map { $0 / 1024 }
            ?? 0
    }
}
