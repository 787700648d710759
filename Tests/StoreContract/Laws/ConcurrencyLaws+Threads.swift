internal import LarderData
internal import LarderDomain

extension ConcurrencyLaws {
    static let threads: [Law] = [
        Law(
            .concurrency, "Scans, syncs, checkpoints and waits for locks run on the store's own thread",
            needs: [.tellsThreads]
        ) { trial in
            _ = try await trial.bookshop()
            let books = try await trial.manager.read(Query<Book>(includesTotal: true))
            _ = try await trial.manager.read(books.entities.map(\.id))
            _ = try await trial.manager.counts(Query<Book>(), by: .value(\.inPrint))
            // More data than a write-ahead log takes between two checkpoints.
            for number in 0..<6 as Range<UInt8> {
                try await trial.manager.create(Picture(trial.id(), Array(repeating: number, count: 1 << 20)))
            }
            // Concurrent, so that some wait for others.
            let (manager, ids) = (trial.manager, trial.ids(40, Counter.self))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for id in ids { group.addTask { try await manager.create(Counter(id)) } }
                try await group.waitForAll()
            }
            _ = try await trial.manager.read(Query<Picture>())
            guard let places = await trial.store.measured()?.longWork else {
                throw LawBroken("the store says that it tells where it works, and does not")
            }
            try expect(places.elsewhere.isEmpty, "it ran elsewhere: \(places.elsewhere)")
            try expect((places.ownThread[.scan] ?? 0) > 0, "it scanned, and says that it did not: \(places.ownThread)")
        }.tests("store.4")
    ]
}
