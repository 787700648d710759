internal import LarderData
internal import LarderDomain

/// The journal of a log: its commits, and the commits that were retained when the log was written.
struct LogJournal: Sendable {
    /// Identifies the lifetime of the store's tokens; never 0, which stands for no journal.
    let lifetime: UInt64
    let retained: RetainedCommits

    init(lifetime: UInt64 = .random(in: 1 ... .max), _ retained: RetainedCommits) {
        (self.lifetime, self.retained) = (lifetime, retained)
    }
}

extension LogCodec {
    /// Appends a retained commit.
    func append(_ entry: RetainedCommits.Entry, to writer: inout ValueWriter) {
        writer.append(fixed: UInt64(bitPattern: entry.commit.token.position))
        writer.append(entry.commit.id.rawValue)
        writer.append(fixed: UInt64(bitPattern: entry.time.microseconds))
        let bytes = JournalCodec.bytes(of: entry.commit)
        writer.append(bytes.count)
        writer.append(content: bytes[...])
    }
}

extension LogHead {
    /// Decodes a retained commit.
    func retained(_ reader: inout ValueReader) throws(MalformedBytes) -> RetainedCommits.Entry {
        guard let position = Int64(exactly: try reader.fixed()) else { throw MalformedBytes() }
        let id = CommitID(try reader.id())
        let time = Timestamp(microseconds: Int64(bitPattern: try reader.fixed()))
        let token = ChangeToken(lifetime: lifetime, position: position)
        return (try JournalCodec.commit(try reader.blob(), token: token, id: id), time)
    }
}
