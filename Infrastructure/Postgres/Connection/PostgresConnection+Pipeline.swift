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
            var (count, bytes) = (0, 0)
            while count < min(rest.count, Self.maximumSteps), bytes < Self.maximumBytes,
                rest[rest.startIndex + count].loads == nil
            {
                bytes += rest[rest.startIndex + count].byteCount
                count += 1
            }
            try receive(send(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
    }

    /// Sends statements in one pipeline. ``receive(_:)`` must follow.
    func send(_ steps: ArraySlice<PostgresStep>) throws(PersistencyError) -> PostgresPipeline {
        guard unsafe PQenterPipelineMode(handle) == 1 else { throw .malformed("the connection is in use") }
        activity.note(steps.count)
        var pipeline = PostgresPipeline()
        var isSent: Int32 = 1
        for step in steps {
            let parameters = PostgresParameters(step.values)
            let known = prepared.statement(step.text)
            let name = known ?? nextName()
            if known == nil {
                unsafe isSent &= PQsendPrepare(handle, name, step.text, 0, nil)
                if let old = prepared.insert(name, for: step.text) { pipeline.dropped.append(old) }
            }
            pipeline.steps.append((step, known == nil))
            isSent &= unsafe parameters.withPointers {
                unsafe PQsendQueryPrepared(handle, name, parameters.count, $0, $1, $2, 1)
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
        var copy = PostgresCopy(on: self)
        rows { copy.append($0, $1) }
        copy.end()
        // Reports all errors, also those of sending.
        _ = try unsafe result(lastResult(PQputCopyEnd(handle, nil)))
    }
}
#endif
