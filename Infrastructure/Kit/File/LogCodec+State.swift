internal import LarderData
internal import LarderDomain

extension LogCodec {
    /// Replaces the log with a compact log of a state. Returns it, and the encoded size of its roots in bytes.
    func write(
        _ state: StoreState, _ journal: LogJournal?, to place: LogPlace, salt: UInt64, seal: LogSeal? = nil
    ) throws(PersistencyError) -> (LogAppender, Int) {
        var rootBytes = 0
        let log = try LogAppender.replacing(place, salt: salt, seal: seal) { draft throws(PersistencyError) in
            let retained = journal?.retained.content
            try draft.write(
                .head,
                head(
                    after: state.sequence, lifetime: journal?.lifetime ?? 0,
                    completeSince: retained?.completeSince ?? Timestamp(microseconds: 0)))
            var (count, record) = (0, ValueWriter.record)
            func write(_ kind: RecordFrame.Kind, from size: Int = 1) throws(PersistencyError) {
                if record.count < size { return }
                if kind == .roots { rootBytes += record.count }
                try draft.write(kind, record)
                record = ValueWriter.record
            }
            for entry in retained?.entries ?? [] {
                append(entry, to: &record)
                try write(.journal, from: recordBytes)
            }
            try write(.journal)
            for schema in schemas.roots {
                for root in try state.table.table(of: schema).roots {
                    append(root, to: &record)
                    count += 1
                    try write(.roots, from: recordBytes)
                }
            }
            try write(.roots)
            var end = ValueWriter.record
            end.append(count)
            try draft.write(.end, end)
        }
        return (log, rootBytes)
    }

    /// The growth of a compact log by a commit, in bytes.
    func growth(by writes: [RootWrite]) -> Int {
        writes.reduce(0) { $0 + ($1.new.map(size) ?? 0) - ($1.old.map(size) ?? 0) }
    }

    private func size(of root: StorageObject) -> Int {
        var writer = ValueWriter.record
        append(root, to: &writer)
        return writer.count
    }
}
