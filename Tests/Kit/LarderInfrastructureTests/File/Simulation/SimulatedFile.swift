import LarderDomain
import Synchronization

@testable import LarderInfrastructure

/// An open file of a simulated file system. It remains open when its name changes.
final class SimulatedFile: OpenFile {
    private let fileSystem: SimulatedFileSystem
    private let number: Int

    init(_ fileSystem: SimulatedFileSystem, _ number: Int) {
        self.fileSystem = fileSystem
        self.number = number
    }

    private var path: String { fileSystem.state.withLock { $0.disk.nodes[number]?.name ?? "gone" } }

    func size() throws(PersistencyError) -> Int {
        try perform("fstat", { .size($0) }) { state, _ throws(Failure) in state.disk.nodes[number]?.live.count }
    }

    func read(_ count: Int, at offset: Int) throws(PersistencyError) -> [UInt8] {
        try perform("read", { .read($0, offset: offset, count: count) }) { state, _ throws(Failure) in
            let live = state.disk.nodes[number]?.live ?? []
            return offset == 0 && count >= live.count ? live : Array(live.dropFirst(offset).prefix(count))
        }
    }

    func write(_ bytes: [UInt8], at offset: Int) throws(PersistencyError) -> Int {
        try perform("write", { .write($0, offset: offset, count: bytes.count) }) { state, fault throws(Failure) in
            var bytes = bytes
            switch fault {
            case .error?: return nil
            case .short(let count)?: bytes.removeLast(max(0, bytes.count - count))
            case nil: break
            }
            if state.capacity < .max {
                let room = max(0, state.capacity - state.disk.liveBytes)
                if room == 0, !bytes.isEmpty { throw Failure.full }
                bytes.removeLast(max(0, bytes.count - room))
            }
            state.disk.write(bytes, at: offset, of: number)
            return bytes.count
        }
    }

    func truncate(to length: Int) throws(PersistencyError) {
        try perform("truncate", { .truncate($0, length: length) }) { state, fault throws(Failure) in
            if case .error? = fault { return }
            state.disk.truncate(number, to: length)
        }
    }

    func sync() throws(PersistencyError) {
        try perform("sync", { .sync($0) }) { state, fault throws(Failure) in
            if case .error? = fault { state.disk.failSync(number) } else { state.disk.sync(number) }
        }
    }

    private typealias Failure = SimulatedFileSystem.Failure

    private func perform<Result: Sendable>(
        _ call: String, _ operation: (String) -> SimulatedOperation,
        _ body: (inout SimulatedFileSystem.State, SimulatedFault?) throws(Failure) -> Result?
    ) throws(PersistencyError) -> Result {
        let path = path
        return try fileSystem.perform(call, path, operation(path), body)
    }
}
