public import LarderData
public import LarderDomain

extension LogInspector {
    /// Opens the log in a store's folder for reading.
    ///
    /// - Parameter schemas: The schemas with which the store is opened.
    /// - Throws: `unavailable` if the log is missing or unreadable; `incompatible` if the file is not a log.
    public init(folder: String, schemas: SchemaSet) throws(PersistencyError) {
        let place = try LogPlace(folder, POSIXFileSystem())
        let found = try place.fileSystem.status(place.log)
        if let found { try place.checkLog(found) }
        let file = try POSIXFile(reading: place.log)
        try self.init(file, path: place.log, codec: LogCodec(schemas)) {
            try? await Task.sleep(for: .milliseconds(20))
        }
    }

    /// The current size of the log in bytes.
    ///
    /// - Throws: `unavailable` if there is no log.
    public static func size(inFolder folder: String) throws(PersistencyError) -> Int {
        let place = try LogPlace(folder, POSIXFileSystem())
        let status = try place.fileSystem.status(place.log)
        guard let status else { throw .unavailable(Unavailable(.failed, "there is no log at \(place.log)")) }
        return status.size
    }
}
