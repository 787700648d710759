import LarderDomain

@testable import LarderInfrastructure
@testable import LarderInfrastructureTests

/// Opens the possible disks after a loss of power at each call of a run, and judges their contents.
struct CrashExplorer {
    /// The extent of the exploration.
    struct Reach: Sendable {
        /// The maximum number of disks after one call; a random selection if there are more.
        var images: Int
        /// One disk in this number loses power a second time, during and after opening.
        var second: Int
        /// One call in this number is followed by a kill. Another process continues, and loses power at each of its
        /// calls.
        var kills = Int.max
        /// The maximum number of disks after one call of that process.
        var secondImages: Int
        /// Whether to skip a disk that differs from an opened one only in unread bytes.
        var skipsUnread = true
    }

    let bench: ProofBench
    let reach: Reach
    /// The hashes of the disks covered.
    private(set) var states: Set<Int> = []
    private var random: SplitMix
    /// The hashes of the disks opened. The results of the others are known, because they differ from an opened disk
    /// only in unread bytes.
    private(set) var opened: Set<Int> = []
    /// The result of each disk.
    private var shown: [Int: Int] = [:]
    /// The results of disks with a draft, by everything except the draft's bytes.
    private var shownUnread: [Int: Int] = [:]
    private var lasting: Set<Int> = []

    init(_ bench: ProofBench, _ reach: Reach, seed: UInt64) {
        (self.bench, self.reach) = (bench, reach)
        random = SplitMix(seed: seed)
    }

    /// Explores every call, starting with the given one.
    mutating func explore(
        _ run: ProofRun, from first: Int = 0, afterLosses losses: Int = 1
    ) throws(ProofViolation) {
        let operations = run.disk.operations
        for place in first...operations.count {
            let promise = run.promises[place]
            if place > first, !operations[place - 1].isChange, promise.digests == run.promises[place - 1].digests,
                promise.schema == run.promises[place - 1].schema
            {
                continue
            }
            let disk = run.disk.disk(after: place)
            let images = CrashImages(disk)
            let count = min(images.count, losses == 1 ? reach.images : reach.secondImages)
            for number in 0..<count {
                // The durable state itself is always included.
                let image =
                    number == 0 || count == images.count ? images[number] : images.random(using: &random)
                do throws(ProofViolation) {
                    try judge(image, promise, afterLosses: losses)
                } catch {
                    let after = place == 0 ? "" : " (\(operations[place - 1]))"
                    throw ProofViolation("loss \(losses) of power after \(place) calls\(after): \(error)")
                }
            }
            guard losses == 1, isChosen(oneOf: reach.kills) else { continue }
            do throws(ProofViolation) {
                try goOn(from: disk, promise, losses)
            } catch {
                throw ProofViolation("killed after \(place) calls: \(error)")
            }
        }
    }

    private mutating func isChosen(oneOf count: Int) -> Bool {
        Int.random(in: 0..<count, using: &random) == 0
    }

    /// Opens a disk in another process and commits, with a loss of power at each call.
    private mutating func goOn(
        from disk: SimulatedDisk, _ promise: ProofPromise, _ losses: Int
    ) throws(ProofViolation) {
        var again = ProofRun(
            bench, on: disk, possible: promise.models, declared: promise.schema, afterLosses: losses)
        try again.perform([.commit([[.put(99, "z", 3)]])])
        try explore(again, afterLosses: losses + 1)
    }

    private mutating func judge(
        _ image: SimulatedDisk, _ promise: ProofPromise, afterLosses losses: Int
    ) throws(ProofViolation) {
        func key(_ content: Int) -> Int {
            var key = Hasher()
            key.combine(content)
            key.combine(promise.schema)
            key.combine(losses)
            return key.finalize()
        }
        let content = image.contentHash()
        let state = key(content)
        if let digest = shown[state] {
            guard promise.digests.contains(digest) else { throw Self.wrong }
            return
        }
        states.insert(content)
        let hasDraft = image.names[Self.draft] != nil
        let unread = hasDraft && reach.skipsUnread ? key(image.contentHash(without: Self.draft)) : 0
        if hasDraft, reach.skipsUnread, let digest = shownUnread[unread] {
            shown[state] = digest
            guard promise.digests.contains(digest) else { throw Self.wrong }
            return
        }
        opened.insert(content)
        let disk = SimulatedFileSystem(image)
        var engine = try opened(disk, promise.schema, losses)
        let digest = engine.digest(declared: promise.schema)
        shown[state] = digest
        if hasDraft, disk.operations.removesUnread(Self.draft) { shownUnread[unread] = digest }
        guard let model = promise.model(digest) else { throw Self.wrong }
        try checkLasting(disk, &engine, model, promise.schema, losses)
        if losses == 1, isChosen(oneOf: reach.second) { try goOn(from: image, promise, losses) }
    }

    /// Checks that the result survives another loss of power, that the next commit does too, that no other process can
    /// open the log meanwhile, and that the log can be closed.
    private mutating func checkLasting(
        _ disk: SimulatedFileSystem, _ engine: inout LogEngine, _ model: ProofModel, _ schema: Int, _ losses: Int
    ) throws(ProofViolation) {
        let kept = CrashImages(disk.disk)[0]
        var key = Hasher()
        key.combine(disk.disk.contentHash())
        key.combine(kept.contentHash())
        key.combine(schema)
        guard lasting.insert(key.finalize()).inserted else { return }
        try expect(kept, model, schema, losses, "what was shown")
        try checkLock(disk, schema, losses)
        guard let (changes, after) = model.applying([.put(98, "y", 5)], declared: schema), let after else { return }
        do throws(PersistencyError) {
            try engine.commit(changes)
        } catch {
            throw ProofViolation("the next commit fails: \(error)")
        }
        try expect(CrashImages(disk.disk)[0], after, schema, losses, "the next commit")
        engine.close()
        try expect(CrashImages(disk.disk)[0], after, schema, losses, "what was closed")
        try expect(disk.disk, after, schema, losses, "what was closed")
    }

    private func expect(
        _ image: SimulatedDisk, _ model: ProofModel, _ schema: Int, _ losses: Int, _ what: String
    ) throws(ProofViolation) {
        do throws(ProofViolation) {
            let engine = try opened(SimulatedFileSystem(image), schema, losses + 1)
            guard engine.digest(declared: schema) == model.digest(declared: schema) else { throw Self.wrong }
        } catch {
            throw ProofViolation("\(what) does not last: \(error)")
        }
    }

    /// Another process must get an error for the locked log, and must change nothing.
    private func checkLock(_ disk: SimulatedFileSystem, _ schema: Int, _ losses: Int) throws(ProofViolation) {
        let draft = Self.draft
        disk.tamper { $0.place(.file(0), at: draft, bytes: [1]) }
        defer { disk.tamper { $0.unplace(draft) } }
        let before = disk.disk.contentHash()
        do throws(PersistencyError) {
            _ = try bench.open(disk, declared: schema, afterLosses: losses)
        } catch {
            guard case .alreadyOpen = error else { throw ProofViolation("a second opener hears \(error)") }
            if disk.disk.contentHash() != before { throw ProofViolation("a second opener changed something") }
            return
        }
        throw ProofViolation("opened twice")
    }

    private func opened(
        _ disk: SimulatedFileSystem, _ schema: Int, _ losses: Int
    ) throws(ProofViolation) -> LogEngine {
        do throws(PersistencyError) {
            return try bench.open(disk, declared: schema, afterLosses: losses)
        } catch {
            throw ProofViolation("refused: \(error)")
        }
    }

    private static let draft = ProofBench.folder + "/larder.new"
    private static let wrong = ProofViolation("shows something that was never committed, or less than was acknowledged")
}

extension [SimulatedOperation] {
    /// Whether a file was removed without being opened, so that nothing can depend on its bytes.
    fileprivate func removesUnread(_ path: String) -> Bool {
        for operation in self {
            switch operation {
            case .remove(path): return true
            case .open(path), .create(path), .rename(path, to: _), .rename(_, to: path): return false
            default: continue
            }
        }
        return false
    }
}

extension SimulatedDisk {
    /// A hash of the readable names and contents; of the unread file, only the length counts.
    func contentHash(without unread: String? = nil) -> Int {
        names.reduce(0) { sum, name in
            var hasher = Hasher()
            hasher.combine(name.key)
            if case .file(let number) = name.value, let bytes = nodes[number]?.live {
                hasher.combine(bytes.count)
                if name.key != unread { unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) } }
            }
            return sum &+ hasher.finalize()
        }
    }
}
