internal import LarderData
internal import LarderDomain

extension TableCopy {
    /// Reads the source in batches.
    ///
    /// - Parameter reports: Whether rows are counted, and those reported that cannot be converted.
    mutating func forEachBatch(
        reports: Bool, _ body: (inout TableCopy, [Row]) async throws -> Void
    ) async throws {
        var (copy, batch, size) = (self, [Row](), 0)
        let source = source
        var bar = ProgressBar("adopt \(table.name)")
        try await source.forEachRow(of: table.query(source.dialect)) { number, bytes in
            if reports { copy.rows += 1 }
            bar.update(done: number, fraction: nil)
            guard let bytes, case .array(let parts)? = try? JSON(parsing: bytes, atMost: .max) else {
                // Such as a text that is not UTF-8.
                if reports { copy.unreadable += 1 }
                if reports { copy.report("row \(number)", "", "has a text that cannot be read") }
                return
            }
            let values = parts.flatMap(\.elements)
            do throws(RefusedRow) {
                batch.append(Row(key: copy.table.key(in: values), object: try copy.table.object(from: values)))
                size += bytes.count
            } catch {
                if reports { copy.unreadable += 1 }
                if reports {
                    copy.report(copy.table.key(in: values).joined(separator: ", "), error.column, error.reason)
                }
            }
            guard batch.count >= Self.greatestCount || size >= Self.greatestSize else { return }
            try await body(&copy, batch)
            (batch, size) = ([], 0)
        }
        bar.clear()
        if !batch.isEmpty { try await body(&copy, batch) }
        self = copy
    }

    func report(_ key: String, _ column: String, _ reason: String) {
        Terminal.warn("refused \(table.name) \(key): \(column.isEmpty ? "" : column + " ")\(reason)")
    }
}
