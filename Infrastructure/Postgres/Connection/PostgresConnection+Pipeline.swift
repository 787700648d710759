#if Postgres
internal import CLarderPostgres
internal import LarderData
internal import LarderDomain

/// A statement of a pipeline, and the evaluation of its result.
struct PostgresStep {
    let text: String
    let values: [Value]
    let evaluate: (PostgresResult) throws(PersistencyError) -> Void

    init(
        _ text: String, _ values: [Value] = [],
        _ evaluate: @escaping (PostgresResult) throws(PersistencyError) -> Void = { _ in }
    ) {
        (self.text, self.values, self.evaluate) = (text, values, evaluate)
    }
}

extension PostgresConnection {
    /// The maximum number of statements in one round trip, and of the bytes of their values.
    private static let (maximumSteps, maximumBytes) = (256, 1 << 20)

    /// Runs statements in one round trip if they are not large. The results are evaluated in order, up to the first
    /// error, which is thrown. The caller rolls back the transaction then.
    func run(_ steps: [PostgresStep]) throws(PersistencyError) {
        var rest = steps[...]
        while !rest.isEmpty {
            var (count, bytes) = (0, 0)
            while count < min(rest.count, Self.maximumSteps), bytes < Self.maximumBytes {
                bytes += rest[rest.startIndex + count].values.reduce(0) { $0 + $1.byteCount }
                count += 1
            }
            try runPipeline(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
    }

    private func runPipeline(_ steps: ArraySlice<PostgresStep>) throws(PersistencyError) {
        guard unsafe PQenterPipelineMode(handle) == 1 else { throw .malformed("the connection is in use") }
        statementsRun += steps.count
        var dropped: [String] = []
        // The statements that are prepared before each step.
        var isPrepared: [Bool] = []
        var isSent: Int32 = 1
        for step in steps {
            let parameters = PostgresParameters(step.values)
            let known = prepared.name(of: step.text)
            let name = known ?? prepared.nextName()
            if known == nil {
                unsafe isSent &= PQsendPrepare(handle, name, step.text, 0, nil)
                if let old = prepared.insert(name, for: step.text) { dropped.append(old) }
            }
            isPrepared.append(known == nil)
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
        var failure: PersistencyError?
        for (step, isPrepared) in zip(steps, isPrepared) {
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
        if !isBroken { endPipeline() }
        if let failure { throw failure }
        for name in dropped { try execute("DEALLOCATE \(name)") }
    }

    /// The result of the next statement of the pipeline.
    private func stepResult() -> Result<PostgresResult, PersistencyError> {
        let next = unsafe nextResult()
        // Each result is followed by a null pointer.
        if unsafe next != nil { _ = unsafe nextResult() }
        do throws(PersistencyError) { return .success(try unsafe result(next)) } catch { return .failure(error) }
    }

    private func endPipeline() {
        let end = unsafe nextResult()
        let isEnd = unsafe PQresultStatus(end) == PGRES_PIPELINE_SYNC
        unsafe PQclear(end)
        // Another result, such as the data of a `COPY`, is not in a pipeline of ours.
        if unsafe !isEnd || PQexitPipelineMode(handle) == 0 { giveUp() }
    }
}

extension Value {
    /// The approximate number of bytes.
    var byteCount: Int {
        switch self {
        case .null: 0
        case .integer, .real: 8
        case .text(let text): text.utf8.count
        case .blob(let bytes): bytes.count
        case .id: 16
        }
    }
}
#endif
