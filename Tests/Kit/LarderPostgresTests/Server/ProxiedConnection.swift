#if Postgres
import Foundation

/// One connection of a ``CutProxy``, on its own thread. It reads the messages of the client to find those of a commit:
/// `COMMIT`, or the end of a pipeline of updates without it.
struct ProxiedConnection {
    let client: Int32
    let server: Int32
    /// Called at the end of each commit: whether and where to cut it.
    let takeCut: () -> CutProxy.Cut?
    /// Called if the server refused the commit, and its answer was not cut.
    let postponeCut: () -> Void
    let noteCut: () -> Void
    /// Called before each message of a commit: the halves of it to forward, if the connection falls silent.
    let takeSilence: ([CommitMessages.Part: Int]) -> Int?
    /// Called after the last message of each part of a commit: whether the connection falls silent.
    let noteEnd: ([CommitMessages.Part: Int]) -> Bool
    private var messages = CommitMessages()
    /// The names of prepared statements.
    private var appends: Set<[UInt8]> = []
    private var commits: Set<[UInt8]> = []
    private var updates: Set<[UInt8]> = []
    private var isStarted = false
    /// Whether the journal was written in this transaction.
    private var isAppended = false
    /// Whether the pipeline has updates, and whether the last commit is such a pipeline.
    private var (isUpdating, isOfUpdates) = (false, false)
    private var fromClient: [UInt8] = []
    /// The withheld answer.
    private var answer: [UInt8]?

    init(
        client: Int32, server: Int32, takeCut: @escaping () -> CutProxy.Cut?,
        postponeCut: @escaping () -> Void, noteCut: @escaping () -> Void,
        takeSilence: @escaping ([CommitMessages.Part: Int]) -> Int?,
        noteEnd: @escaping ([CommitMessages.Part: Int]) -> Bool
    ) {
        (self.client, self.server) = (client, server)
        (self.takeCut, self.postponeCut, self.noteCut) = (takeCut, postponeCut, noteCut)
        (self.takeSilence, self.noteEnd) = (takeSilence, noteEnd)
    }

    /// Forwards until one side ends the connection, or it is cut.
    func run() {
        var connection = self
        while connection.step() {}
        _ = close(client)
        _ = close(server)
    }

    private mutating func step() -> Bool {
        var ends = [client, server].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        guard unsafe poll(&ends, 2, -1) > 0 else { return false }
        if ends[0].revents != 0 {
            guard let bytes = receive(client) else { return false }
            fromClient += bytes
            while let message = nextMessage() {
                let cut = isCommit(message) ? takeCut() : nil
                if cut == .beforeForwarding { return end() }
                messages.note(message)
                if let halves = takeSilence(messages.numbers) {
                    return beSilent(after: Array(message.prefix(message.count * halves / 2)))
                }
                guard send(message, to: server) else { return false }
                if noteEnd(messages.countForwarded(message)) { return beSilent(after: []) }
                if cut == .answer { answer = [] }
                if cut == .afterForwarding {
                    // What the client has sent with it, such as the request to execute it.
                    _ = send(fromClient, to: server)
                    return end()
                }
            }
        }
        if ends[1].revents != 0 {
            guard let bytes = receive(server) else { return false }
            guard let withheld = answer else { return send(bytes, to: client) }
            answer = withheld + bytes
            let success = isOfUpdates ? "INSERT 0 1\0" : "COMMIT\0"
            let isComplete = (withheld + bytes).suffix(6).starts(with: [UInt8(ascii: "Z"), 0, 0, 0, 5])
            if isComplete || !isOfUpdates, (withheld + bytes).contains(Array(success.utf8)) { return end() }
            // An error, or an update of no row.
            if isComplete {
                answer = nil
                postponeCut()
                return send(withheld + bytes, to: client)
            }
        }
        return true
    }

    /// Stays open until the server ends the connection, but forwards nothing after the first bytes.
    private func beSilent(after bytes: [UInt8]) -> Bool {
        if send(bytes, to: server) { while receive(server) != nil {} }
        return false
    }

    private func end() -> Bool {
        noteCut()
        return false
    }

    /// The next complete message of the client. Only the first one has no type.
    private mutating func nextMessage() -> [UInt8]? {
        let start = isStarted ? 1 : 0
        guard fromClient.count >= start + 4 else { return nil }
        let length = fromClient[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
        guard fromClient.count >= start + length else { return nil }
        isStarted = true
        defer { fromClient.removeFirst(start + length) }
        return Array(fromClient.prefix(start + length))
    }

    /// Whether a message ends a commit, and not a transaction that only reads.
    private mutating func isCommit(_ message: [UInt8]) -> Bool {
        if message[0] == UInt8(ascii: "S") {
            defer { isUpdating = false }
            if isUpdating { isOfUpdates = true }
            return isUpdating
        }
        let texts = message.dropFirst(5).split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
        guard texts.count > 1 else { return false }
        switch message[0] {
        case UInt8(ascii: "P"):
            let name = Array(texts[0])
            for names in [\Self.appends, \.commits, \.updates] { self[keyPath: names].remove(name) }
            if texts[1].starts(with: "INSERT INTO larder_journal (commit_id".utf8) { appends.insert(name) }
            if texts[1].elementsEqual("COMMIT".utf8) { commits.insert(name) }
            if texts[1].starts(with: "WITH updated AS".utf8) { updates.insert(name) }
            return false
        case UInt8(ascii: "B"):
            let name = Array(texts[1])
            if appends.contains(name) { isAppended = true }
            if updates.contains(name) { isUpdating = true }
            guard isAppended, commits.contains(name) else { return false }
            (isAppended, isOfUpdates) = (false, false)
            return true
        // The end of a write by SQL is one message.
        case UInt8(ascii: "Q"):
            isOfUpdates = false
            return texts[0].starts(with: "INSERT INTO larder_journal (commit_id".utf8)
        default: return false
        }
    }

    private func receive(_ end: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = unsafe recv(end, &bytes, bytes.count, 0)
        return count > 0 ? Array(bytes.prefix(count)) : nil
    }

    private func send(_ bytes: [UInt8], to end: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes {
                unsafe Glibc.send(end, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
#endif
