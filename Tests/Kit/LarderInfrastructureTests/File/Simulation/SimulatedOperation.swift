/// One call to a simulated file system, as its log has it. Files are named as they were called when it happened.
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

    /// Whether a crash after it can leave something else than one before it.
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

/// What goes wrong with one call.
enum SimulatedFault: Hashable, Sendable {
    /// It fails with this number, and does nothing. What a failed sync was to bring to the device never gets there by
    /// a later one: the system has forgotten that it was to be written.
    case error(Int32)
    /// A write ends after so many bytes.
    case short(Int)
}
