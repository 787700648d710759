/// One call to a simulated file system, as logged. Files have the names of that moment.
enum SimulatedOperation: Hashable, Sendable, CustomStringConvertible {
    case status(String)
    case makeFolder(String)
    case create(String)
    case open(String)
    case size(String)
    case read(String, offset: Int, count: Int)
    case write(String, offset: Int, count: Int)
    case truncate(String, length: Int)
    case sync(String)
    case rename(String, to: String)
    case remove(String)
    case syncFolder(String)
    case lock(String)

    /// Whether a crash after the call can leave a different disk than a crash before it.
    var isChange: Bool {
        switch self {
        case .status, .open, .size, .read, .lock: false
        case .makeFolder, .create, .write, .truncate, .sync, .rename, .remove, .syncFolder: true
        }
    }

    var description: String {
        switch self {
        case .status(let path): "status \(path)"
        case .makeFolder(let path): "mkdir \(path)"
        case .create(let path): "create \(path)"
        case .open(let path): "open \(path)"
        case .size(let path): "size \(path)"
        case .read(let path, let offset, let count): "read \(path) \(offset)+\(count)"
        case .write(let path, let offset, let count): "write \(path) \(offset)+\(count)"
        case .truncate(let path, let length): "truncate \(path) \(length)"
        case .sync(let path): "sync \(path)"
        case .rename(let path, let new): "rename \(path) \(new)"
        case .remove(let path): "remove \(path)"
        case .syncFolder(let path): "sync folder \(path)"
        case .lock(let path): "lock \(path)"
        }
    }
}

/// The fault of one call.
enum SimulatedFault: Hashable, Sendable {
    /// The call fails with this error number and has no effect. Changes that a failed sync should have written never
    /// reach the device by a later sync, because the system no longer considers them unwritten.
    case error(Int32)
    /// A write is cut short after this number of bytes.
    case short(Int)
}
