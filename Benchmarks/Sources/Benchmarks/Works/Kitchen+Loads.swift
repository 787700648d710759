import LarderDomain

/// The loads of the store during the measurement of the timer.
extension Kitchen {
    var scan: @Sendable () async throws -> Void {
        { _ = try await repository.read(Query()) }
    }

    /// A thousand changes, each with its own commit.
    var commits: @Sendable () async throws -> Void {
        {
            for id in ids(1_000, seed: 7) where !Task.isCancelled {
                guard var dish = try await repository.read(id) else { continue }
                dish.entity.rating = (dish.rating + 1) % 6
                try await repository.update(dish.entity)
            }
        }
    }

    /// A thousand point reads.
    var reads: @Sendable () async throws -> Void {
        { for id in ids(1_000, seed: 8) where !Task.isCancelled { _ = try await repository.read(id) } }
    }
}
