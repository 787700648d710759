/// All possible disks after a loss of power. Each unsynced write arrived in full, in part, or not at all. Of the
/// unsynced changes of names, any prefix arrived, or any selection if they are few.
struct CrashImages: Sendable {
    /// The ways in which one write may arrive.
    enum Arrival: Hashable, Sendable {
        case nothing
        case prefix(Int)
        case all
        case zeros
        case secondHalf
        /// All bytes, with a wrong one at this offset of the write.
        case flipped(Int)
    }

    /// A change with several possible results.
    private enum Choice: Sendable {
        case write(node: Int, change: Int, [Arrival])
        case truncate(node: Int, change: Int)
        /// The pending changes of names that arrived, as bits.
        case names([UInt])

        var count: Int {
            switch self {
            case .write(_, _, let arrivals): arrivals.count
            case .truncate: 2
            case .names(let selections): selections.count
            }
        }
    }

    private let disk: SimulatedDisk
    private let choices: [Choice]
    /// The number of disks, including duplicates; at most `Int.max`.
    let count: Int

    init(_ disk: SimulatedDisk) {
        self.disk = disk
        let entries = Array(disk.durableNames.values) + disk.pendingNames.flatMap { $0.entries.compactMap(\.entry) }
        var numbers: Set<Int> = []
        for case .file(let number) in entries { numbers.insert(number) }
        var choices: [Choice] = []
        for number in numbers.sorted() {
            for (index, change) in (disk.nodes[number]?.pending ?? []).enumerated() {
                switch change.kind {
                case .write(let offset, let bytes):
                    let arrivals = Arrival.all(of: bytes.count, at: offset)
                    choices.append(.write(node: number, change: index, arrivals))
                case .truncate: choices.append(.truncate(node: number, change: index))
                }
            }
        }
        let names = disk.pendingNames.count
        if names > 4 {
            choices.append(.names((0...names).map { (1 << UInt($0)) - 1 }))
        } else if names > 0 {
            choices.append(.names((0..<1 << UInt(names)).filter(disk.canSelect)))
        }
        self.choices = choices
        count = choices.reduce(1) { product, choice in
            let (result, isTooMany) = product.multipliedReportingOverflow(by: choice.count)
            return isTooMany ? .max : result
        }
    }

    /// The disk with the given number.
    subscript(index: Int) -> SimulatedDisk {
        var rest = index
        return image { count in
            defer { rest /= count }
            return rest % count
        }
    }

    /// A random disk.
    func random(using generator: inout some RandomNumberGenerator) -> SimulatedDisk {
        image { Int.random(in: 0..<$0, using: &generator) }
    }

    private func image(_ choose: (Int) -> Int) -> SimulatedDisk {
        var contents: [Int: [UInt8]] = [:]
        var names = disk.durableNames
        for choice in choices {
            let chosen = choose(choice.count)
            switch choice {
            case .write(let number, let index, let arrivals):
                guard let node = disk.nodes[number], case .write(let offset, let bytes) = node.pending[index].kind
                else { continue }
                arrivals[chosen].apply(bytes, at: offset, to: &contents[number, default: node.durable])
            case .truncate(let number, let index):
                guard chosen == 1, let node = disk.nodes[number] else { continue }
                node.pending[index].apply(to: &contents[number, default: node.durable])
            case .names(let selections):
                for (index, change) in disk.pendingNames.enumerated() where selections[chosen] >> UInt(index) & 1 == 1 {
                    for (path, entry) in change.entries { names[path] = entry }
                }
            }
        }
        return SimulatedDisk(
            durable: names.mapValues { entry in
                guard case .file(let number) = entry else { return (entry, []) }
                return (entry, contents[number] ?? disk.nodes[number]?.durable ?? [])
            })
    }
}

extension SimulatedDisk {
    /// Whether a selection of the pending changes of names is possible: with a change, the earlier changes lost by a
    /// failed sync arrive too, because they are part of the same block.
    fileprivate func canSelect(_ selection: UInt) -> Bool {
        pendingNames.indices.allSatisfy { place in
            !pendingNames[place].isLost || selection >> UInt(place) & 1 == 1
                || pendingNames.indices.allSatisfy { later in
                    later < place || pendingNames[later].isLost || selection >> UInt(later) & 1 == 0
                }
        }
    }
}

extension CrashImages.Arrival {
    /// The ways in which a write of the given number of bytes may arrive.
    static func all(of count: Int, at offset: Int) -> [Self] {
        guard count > 0 else { return [.nothing] }
        var prefixes: Set<Int> = [1, count / 2, count - 1]
        var boundary = (offset / 512 + 1) * 512 - offset
        while boundary < count {
            prefixes.insert(boundary)
            boundary += 512
        }
        prefixes.remove(0)
        prefixes.remove(count)
        // The offset depends on the length, so that the tests cover all offsets.
        let flipped = (count &* 31 &+ offset) % count
        return [.nothing] + prefixes.sorted().map(Self.prefix) + [.all, .zeros, .secondHalf, .flipped(flipped)]
    }

    func apply(_ written: [UInt8], at offset: Int, to bytes: inout [UInt8]) {
        switch self {
        case .nothing: break
        case .prefix(let count): bytes.overwrite(at: offset, with: Array(written.prefix(count)))
        case .all: bytes.overwrite(at: offset, with: written)
        case .zeros: bytes.overwrite(at: offset, with: [UInt8](repeating: 0, count: written.count))
        case .secondHalf:
            let half = written.count / 2
            bytes.overwrite(at: offset + half, with: Array(written.dropFirst(half)))
        case .flipped(let place):
            var damaged = written
            damaged[place] ^= 1 << UInt8(place % 8)
            bytes.overwrite(at: offset, with: damaged)
        }
    }
}
