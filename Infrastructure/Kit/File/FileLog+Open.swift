public import LarderData
public import LarderDomain

#if canImport(Glibc)
private import Glibc
#elseif canImport(Musl)
private import Musl
#else
private import Darwin
#endif

extension FileLog {
    /// Opens the log in a store's folder for reading.
    ///
    /// - Parameter schemas: What the store is opened with.
    /// - Throws: `unavailable` where no log is, or it cannot be read.
    public init(folder: String, schemas: SchemaSet) throws(PersistencyError) {
        let path = try LogPlace(folder, POSIXFileSystem()).log
        // A pipe would have to wait for somebody at its other end.
        let file = try systemCalls { () throws(SystemError) in
            try POSIXFile(path, access: O_RDONLY, flags: O_NONBLOCK)
        }
        try self.init(file, path: path, codec: LogCodec(schemas)) {
            try? await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Bytes of the log, as far as it is written now.
    ///
    /// - Throws: `unavailable` where no log is.
    public static func size(inFolder folder: String) throws(PersistencyError) -> Int {
        let place = try LogPlace(folder, POSIXFileSystem())
        let status = try systemCalls { () throws(SystemError) in try place.fileSystem.status(place.log) }
        guard let status else { throw SystemError("open", place.log, number: ENOENT).persistencyError }
        return status.size
    }
}
