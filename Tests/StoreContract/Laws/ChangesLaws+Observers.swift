internal import LarderData
internal import LarderDomain

/// Observers that subscribe while others unsubscribe.
extension ChangesLaws {
    static let observers: [Law] = [
        Law(.changes, "Observers that begin after others have ended do not replace the remaining ones") { trial in
            for (round, leaving) in [[0], [1], [2], [0, 1], [2, 0], [1, 2, 0]].enumerated() {
                try await trial.fresh("observers-\(round)") { trial in
                    var audience = Audience(trial)
                    for _ in 0..<3 { await audience.come() }
                    try await audience.hear()
                    await audience.leave(leaving)
                    // One more observer subscribes than has unsubscribed.
                    for _ in 0...leaving.count {
                        await audience.come()
                        try await audience.hear()
                    }
                    try await audience.expectAllHeard()
                }
            }
        }.tests("changes.1", "changes.13", "changes.15"),
        Law(.changes, "Each of any number of observers may lag as far as a single one") { trial in
            var streams: [AsyncStream<ChangeEvent>] = []
            for _ in 0..<130 { streams.append(await trial.store.changes()) }
            var expected: [[EntityReference]] = []
            for number in 0..<trial.store.traits.changeBuffer {
                let topics = (0...number % 2).map { Press.topic(trial.rawID(), "Topic \(number) \($0)") }
                _ = try await trial.store.commit(ChangeSet(inserts: topics))
                expected.append(topics.map(\.reference))
            }
            await trial.store.close()
            for stream in streams {
                let heard = try await stream.commits().map { $0.entries.map(\.reference) }
                try expect(heard == expected, "\(heard.count) of \(expected.count) commits were heard of, or others")
            }
        }.tests("changes.11", "changes.13"),
    ]
}

/// The observers of a store, and the commits that each of them must receive.
private struct Audience {
    private let trial: Trial
    private var observers: [(listening: Task<[ChangeToken?], Never>, expected: [ChangeToken?])] = []

    init(_ trial: Trial) { self.trial = trial }

    mutating func come() async {
        let stream = await trial.store.changes()
        // A gap is recorded as a missing token.
        let listening = Task {
            await stream.reduce(into: [ChangeToken?]()) {
                if case .commit(let commit) = $1 { $0.append(commit.token) } else { $0.append(nil) }
            }
        }
        observers.append((listening, []))
    }

    mutating func leave(_ places: [Int]) async {
        for place in places {
            observers[place].listening.cancel()
            _ = await observers[place].listening.value
        }
        for place in places.sorted().reversed() { observers.remove(at: place) }
    }

    /// Commits changes that all current observers must receive.
    mutating func hear() async throws {
        let new = Press.member(trial.rawID(), "\(trial.rawID())")
        let receipt = try await trial.store.commit(ChangeSet(inserts: [new]))
        for place in observers.indices { observers[place].expected.append(receipt.token) }
    }

    /// Closes the store. Fails the law unless each observer received its commits, each once.
    func expectAllHeard() async throws {
        await trial.store.close()
        for observer in observers {
            // The stream of a defective store may never end. Therefore, a listening task is not a child of this task.
            let heard = await withTaskCancellationHandler {
                await observer.listening.value
            } onCancel: {
                observer.listening.cancel()
            }
            try expect("the received tokens", heard, is: observer.expected)
        }
    }
}
