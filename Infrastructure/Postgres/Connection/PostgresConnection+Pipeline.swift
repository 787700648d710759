#if Postgres
internal import CLarderPostgres
internal import LarderData
internal import LarderDomain
internal import LarderInfrastructure

typealias PostgresStep = SQLStep<PostgresResult>

extension PostgresStep {
    /// The bytes of the values.
    var byteCount: Int { values.reduce(0) { $0 + $1.byteCount } }
}

extension ArraySlice {
    /// The first elements, up to a number and a sum of sizes, which the last one may exceed.
    func prefix(_ count: Int, _ limit: Int, _ size: (Element) -> Int) -> ArraySlice {
        var sum = 0
        return prefix(count).prefix { element in
            defer { sum += size(element) }
            return sum < limit
        }
    }
}

/// Statements that were sent, whose results have not been received.
struct PostgresPipeline {
    /// Each with whether it is prepared before.
    fileprivate var steps: [(step: PostgresStep, isPrepared: Bool)] = []
    /// The names of prepared statements that the new ones replace.
    fileprivate var dropped: [String] = []
}

extension PostgresConnection {
    /// The maximum number of statements in one round trip, and of the bytes of their values.
    private static let (maximumSteps, maximumBytes) = (256, 1 << 20)
    /// The number of bytes of rows that are sent at once.
    private static let maximumCopy = 1 << 15

    /// Runs statements in one round trip if they are not large and none is a `COPY`. The results are evaluated in order, up
    /// to the first error, which is thrown. The caller rolls back the transaction then.
    func run(_ steps: [PostgresStep]) throws(PersistencyError) {
        var rest = steps[...]
        while let first = rest.first {
            if let rows = first.loads {
                try copy(rows, by: first.text)
                rest = rest.dropFirst()
                continue
            }
            let batch = rest.prefix(Self.maximumSteps, Self.maximumBytes, \.byteCount).prefix { $0.loads == nil }
            try receive(send(batch))
            rest = rest.dropFirst(batch.count)
        }
    }

    /// Sends statements in one pipeline. ``receive(_:)`` must follow.
    func send(_ steps: ArraySlice<PostgresStep>) throws(PersistencyError) -> PostgresPipeline {
        guard unsafe PQenterPipelineMode(handle) == 1 else { throw .malformed("the connection is in use") }
        activity.note(steps.count)
        var pipeline = PostgresPipeline()
        var isSent: Int32 = 1
        for step in steps {
            let known = prepared.statement(step.text)
            let name = known ?? nextName()
            if known == nil {
                unsafe isSent &= PQsendPrepare(handle, name, step.text, 0, nil)
                if let old = prepared.insert(name, for: step.text) { pipeline.dropped.append(old) }
            }
            pipeline.steps.append((step, known == nil))
            isSent &= unsafe step.values.withParameters {
                unsafe PQsendQueryPrepared(handle, name, Int32(truncatingIfNeeded: step.values.count), $0, $1, $2, 1)
            }
        }
        unsafe isSent &= PQpipelineSync(handle)
        if isSent == 0 {
            // The results would not be those of the steps.
            defer { giveUp() }
            throw lastError.persistencyError
        }
        return pipeline
    }

    /// Whether statements replace no other prepared ones, which would take another round trip.
    func canSend(_ steps: [PostgresStep]) -> Bool {
        prepared.hasRoom(for: steps.count) || steps.allSatisfy { prepared.statement($0.text) != nil }
    }

    /// Receives the results of a pipeline, and evaluates them.
    func receive(_ pipeline: PostgresPipeline) throws(PersistencyError) {
        var failure: PersistencyError?
        for (step, isPrepared) in pipeline.steps {
            // Each result is read, also after an error.
            let preparation = isPrepared ? stepResult() : nil
            let result = stepResult()
            do throws(PersistencyError) {
                if case .failure(let error)? = preparation {
                    prepared.remove(step.text)
                    throw error
                }
                if failure == nil { try step.evaluate(result.get()) }
            } catch {
                failure = failure ?? error
            }
            if isBroken { break }
        }
        if !isBroken { failure = endPipeline() ?? failure }
        if let failure { throw failure }
        for name in pipeline.dropped { try execute("DEALLOCATE \(name)") }
    }

    /// The result of the next statement of the pipeline.
    private func stepResult() -> Result<PostgresResult, PersistencyError> {
        let next = unsafe nextResult()
        // Each result is followed by a null pointer.
        if unsafe next != nil { _ = unsafe nextResult() }
        return Result { () throws(PersistencyError) in try unsafe result(next) }
    }

    /// Returns an error at the end of the pipeline: without `BEGIN`, it commits there.
    private func endPipeline() -> PersistencyError? {
        var end = unsafe nextResult()
        var failure: PersistencyError?
        if unsafe PQresultStatus(end) == PGRES_FATAL_ERROR {
            do throws(PersistencyError) { _ = try unsafe result(end) } catch { failure = error }
            // A null pointer follows each result but the last one.
            unsafe end = nextResult() ?? nextResult()
        }
        let isEnd = unsafe PQresultStatus(end) == PGRES_PIPELINE_SYNC
        unsafe PQclear(end)
        // Another result, such as the data of a `COPY`, is not in a pipeline of ours.
        if unsafe !isEnd || PQexitPipelineMode(handle) == 0 { giveUp() }
        return failure
    }

    /// Sends rows outside of a pipeline.
    private func copy(
        _ rows: (([Value], [Value]) -> Void) -> Void, by text: String
    ) throws(PersistencyError) {
        activity.note(1)
        let start = unsafe lastResult(PQsendQuery(handle, text))
        guard unsafe PQresultStatus(start) == PGRES_COPY_IN else {
            _ = try unsafe result(start)
            return
        }
        unsafe PQclear(start)
        // The binary form. The server inserts the first rows while the next ones are encoded.
        var bytes = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] + [UInt8](repeating: 0, count: 8)
        func send() {
            unsafe bytes.withUnsafeBytes { bytes in
                let address = unsafe bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
                _ = unsafe PQputCopyData(handle, address, Int32(truncatingIfNeeded: bytes.count))
            }
            bytes.removeAll(keepingCapacity: true)
            sendAll()
        }
        rows { first, rest in
            bytes.appendBigEndian(Int16(truncatingIfNeeded: first.count + rest.count))
            for value in first { value.appendField(to: &bytes) }
            for value in rest { value.appendField(to: &bytes) }
            if bytes.count >= Self.maximumCopy { send() }
        }
        bytes.appendBigEndian(Int16(-1))
        send()
        // Reports all errors, also those of sending.
        _ = try unsafe result(lastResult(PQputCopyEnd(handle, nil)))
    }
}
#endif
