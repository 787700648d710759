public import LarderData
public import LarderDomain

extension LogInspector {
    /// Opens the log in a store's folder for reading.
    ///
    /// - Parameter schemas: What the store is opened with.
    /// - Throws: `unavailable` where no log is, or it cannot be read; `incompatible` for what is none.
    public init(folder: String, schemas: SchemaSet) throws(PersistencyError) {
        let place = try LogPlace(folder, POSIXFileSystem())
        let found = try place.fileSystem.status(place.log)
        if let found { try place.checkLog(found) }
        let file = try POSIXFile(reading: place.log)
        try self.init(file, path: place.log, codec: LogCodec(schemas)) {
            try? await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Bytes of the log, as far as it is written now.
    ///
    /// - Throws: `unavailable` where no log is.
    public static func size(inFolder folder: String) throws(PersistencyError) -> Int {
        let place = try LogPlace(folder, POSIXFileSystem())
        let status = try place.fileSystem.status(place.log)
        guard let status else { throw .unavailable(Unavailable(.failed, "there is no log at \(place.log)")) }
        return status.size
    }
}
