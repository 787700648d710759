#if canImport(Glibc)
private import Glibc
#elseif canImport(Musl)
private import Musl
#else
private import Darwin
#endif

/// What tells one file from every other on this machine, whatever its name: its device and inode.
struct FileIdentity: Sendable, Hashable {
    let device: UInt64
    let inode: UInt64

    init(device: UInt64, inode: UInt64) {
        (self.device, self.inode) = (device, inode)
    }

    /// The file that a path names now; `nil` for none.
    init?(path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.init(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    }

    /// The file that is open, whether it still has a name or not.
    init?(descriptor: Int32) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        self.init(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    }
}
