/// The memory and the device of a machine, as a value: a copy is independent and cheap.
struct SimulatedDisk: Sendable {
    /// The object that a name refers to.
    enum Entry: Hashable, Sendable {
        case file(Int)
        case folder
        /// A symbolic link, a pipe, a socket.
        case other
    }

    /// A file, independent of its name.
    struct Node: Sendable {
        /// The file's last name.
        var name: String
        /// The bytes that readers see.
        var live: [UInt8] = []
        /// The bytes that are certainly on the device.
        var durable: [UInt8] = []
        /// The changes since then.
        var pending: [Change] = []
    }

    struct Change: Sendable {
        enum Kind: Sendable {
            case write(offset: Int, bytes: [UInt8])
            case truncate(length: Int)
        }

        let kind: Kind
        /// Whether a sync failed since: no later sync writes it to the device.
        var isLost = false
    }

    /// Names that change atomically.
    struct NameChange: Sendable {
        let entries: [(path: String, entry: Entry?)]
        var isLost = false
    }

    var nodes: [Int: Node] = [:]
    private(set) var names: [String: Entry] = [:]
    var durableNames: [String: Entry] = [:]
    var pendingNames: [NameChange] = []
    private var lastNode = 0

    /// An empty disk with a root folder.
    init() {
        durableNames["/"] = .folder
        names = durableNames
    }

    /// The disk after a loss of power: only the durable data remains.
    init(durable files: [String: (entry: Entry, bytes: [UInt8])]) {
        for (path, file) in files {
            guard case .file = file.entry else {
                durableNames[path] = file.entry
                continue
            }
            lastNode += 1
            nodes[lastNode] = Node(name: path, live: file.bytes, durable: file.bytes)
            durableNames[path] = .file(lastNode)
        }
        names = durableNames
    }

    /// A path without its trailing slash, which only serves to address a folder.
    static func normal(_ path: String) -> String {
        path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    /// The folder that contains a name.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The readable files, by name.
    var files: [String: [UInt8]] {
        names.reduce(into: [:]) { files, name in
            if case .file(let number) = name.value { files[name.key] = nodes[number]?.live ?? [] }
        }
    }

    /// The total size of all files that have a name.
    var liveBytes: Int { files.values.reduce(0) { $0 + $1.count } }

    mutating func makeNode(_ path: String) -> Int {
        lastNode += 1
        nodes[lastNode] = Node(name: path)
        setNames([(path, .file(lastNode))])
        return lastNode
    }

    mutating func setNames(_ entries: [(path: String, entry: Entry?)]) {
        for (path, entry) in entries { names[path] = entry }
        pendingNames.append(NameChange(entries: entries))
    }

    /// Puts a file on the disk, in memory and on the device.
    mutating func place(_ entry: Entry, at path: String, bytes: [UInt8] = []) {
        var entry = entry
        if case .file = entry {
            lastNode += 1
            nodes[lastNode] = Node(name: path, live: bytes, durable: bytes)
            entry = .file(lastNode)
        }
        names[path] = entry
        durableNames[path] = entry
    }

    /// Removes a file that ``place(_:at:bytes:)`` created.
    mutating func unplace(_ path: String) {
        names[path] = nil
        durableNames[path] = nil
    }

    mutating func write(_ bytes: [UInt8], at offset: Int, of number: Int) {
        nodes[number]?.live.overwrite(at: offset, with: bytes)
        nodes[number]?.pending.append(Change(kind: .write(offset: offset, bytes: bytes)))
    }

    mutating func truncate(_ number: Int, to length: Int) {
        nodes[number]?.live.setCount(length)
        nodes[number]?.pending.append(Change(kind: .truncate(length: length)))
    }

    /// Lost changes remain pending, because they may have arrived.
    mutating func sync(_ number: Int) {
        guard var node = nodes[number] else { return }
        for change in node.pending where !change.isLost { change.apply(to: &node.durable) }
        node.pending.removeAll { !$0.isLost }
        nodes[number] = node
    }

    mutating func failSync(_ number: Int) {
        guard let count = nodes[number]?.pending.count else { return }
        for index in 0..<count { nodes[number]?.pending[index].isLost = true }
    }

    /// A folder with few names is one block of the device. The next change of the folder writes the block as it is in
    /// memory, including changes lost by a failed sync. Without a change, nothing is written, and lost changes stay
    /// lost.
    mutating func syncFolder(_ folder: String) {
        guard pendingNames.contains(where: { !$0.isLost && $0.isIn(folder) }) else { return }
        for change in pendingNames {
            for (path, entry) in change.entries where Self.folder(of: path) == folder { durableNames[path] = entry }
        }
        pendingNames.removeAll { change in change.entries.allSatisfy { Self.folder(of: $0.path) == folder } }
    }

    mutating func failSyncFolder(_ folder: String) {
        for index in pendingNames.indices where pendingNames[index].isIn(folder) { pendingNames[index].isLost = true }
    }
}

extension SimulatedDisk.NameChange {
    /// Whether the change affects a name in a folder.
    fileprivate func isIn(_ folder: String) -> Bool {
        entries.contains { SimulatedDisk.folder(of: $0.path) == folder }
    }
}

extension SimulatedDisk.Change {
    func apply(to bytes: inout [UInt8]) {
        switch kind {
        case .write(let offset, let written): bytes.overwrite(at: offset, with: written)
        case .truncate(let length): bytes.setCount(length)
        }
    }
}

extension [UInt8] {
    /// Writes bytes over the existing ones, and zeros into a gap.
    mutating func overwrite(at offset: Int, with bytes: [UInt8]) {
        if offset == count {
            self += bytes
        } else {
            if count < offset + bytes.count { setCount(offset + bytes.count) }
            replaceSubrange(offset..<offset + bytes.count, with: bytes)
        }
    }

    /// Truncates, or fills with zeros.
    mutating func setCount(_ length: Int) {
        if count > length { removeLast(count - length) } else { self += [UInt8](repeating: 0, count: length - count) }
    }
}
