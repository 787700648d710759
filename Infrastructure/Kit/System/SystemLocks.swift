/// The file locks and the processes that the system lists. Empty on systems without `/proc`.
enum SystemLocks {
    /// The processes with a lock on a file.
    ///
    /// - Parameters:
    ///   - kind: `FLOCK` for locks of whole files, `POSIX` for those of bytes.
    ///   - bytes: The bytes of which one must be locked; `nil` for any.
    static func processes(_ kind: String, inode: UInt64, bytes: ClosedRange<Int>? = nil) -> [Int32] {
        // "1: FLOCK  ADVISORY  WRITE 4711 fe:00:131 0 EOF": process, device and inode of the file, first and last byte.
        contents("/proc/locks").split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ")
            guard fields.count > 7, fields[1] == kind, let pid = Int32(fields[4]), pid > 0,
                fields[5].split(separator: ":").last == "\(inode)", let first = Int(fields[6])
            else { return nil }
            let last = max(first, Int(fields[7]) ?? .max)
            return bytes.map { (first...last).overlaps($0) } ?? true ? pid : nil
        }
    }

    /// The program of a process; `nil` if it is unknown.
    static func program(of pid: Int32) -> String? {
        let program = contents("/proc/\(pid)/cmdline").prefix { $0 != "\0" }
        return program.isEmpty ? nil : String(program)
    }

    /// Whether a process is stopped by a signal or a debugger.
    static func isStopped(_ pid: Int32) -> Bool {
        // "4711 (program) T 1 …": the name may contain any character.
        let state = contents("/proc/\(pid)/stat").split(separator: ")").last?.first { $0 != " " }
        return state == "T" || state == "t"
    }

    private static func contents(_ path: String) -> String {
        let bytes = try? POSIXFile(reading: path).read(1 << 20, at: 0)
        return String(decoding: bytes ?? [], as: UTF8.self)
    }
}
