internal import LarderData
internal import LarderDomain

/// The commits of a follower, while it has the lease.
extension FollowerRun {
    /// Commits without a change for the follower, after which the position is stored nevertheless.
    private static let unsaved: Int64 = 1000

    /// Follows until the stream of changes ends.
    func follow() async throws {
        if state.position == nil { try await readAgain(before: parts.position()) }
        let (interval, limit) = (follower.policy.interval, max(1, follower.policy.batch))
        var (commits, last) = ([CommittedChanges](), ChangeToken?.none)
        for await event in await parts.store.changes(after: state.position) {
            // The stream cannot be asked whether it has more events, but it has those up to the last commit.
            if last == nil { last = try await parts.position() }
            switch event {
            case .commit(let commit): if let part = state.part(of: commit) { commits.append(part) }
            case .gap(let token):
                if let end = commits.last?.token { try await handle(commits, upTo: end) }
                commits = []
                try await readAgain(before: token)
            }
            guard commits.count == limit || event.token.position >= last?.position ?? 0 else { continue }
            try await handle(commits, upTo: event.token)
            if commits.count < limit { try await parts.clock.sleep(interval) }
            (commits, last) = ([], nil)
        }
    }

    private func handle(_ commits: [CommittedChanges], upTo end: ChangeToken) async throws {
        if commits.isEmpty {
            handled = end
            if end.position - (state.position?.position ?? 0) >= Self.unsaved { try await move(to: end) }
            return
        }
        switch follower.effect {
        case .storing(let handler):
            let isStored = commits.count == 1 ? false : try await store(commits, handler, upTo: end)
            for commit in isStored ? [] : commits {
                try await attempt(at: commit) { run in
                    try await run.change(movingTo: commit.token) { unit, state in
                        try await handler(commit, unit)
                        state.clearFailure()
                    }
                }
            }
        case .calling(let handler):
            for commit in commits {
                try await attempt(at: commit) { run in try await handler(commit, run.parts.manager) }
            }
            try await move(to: end)
        }
        parts.report(.handled(follower.name, commits: commits.count, upTo: end))
    }

    /// Handles several commits in one transaction.
    ///
    /// - Returns: `false` if a handler has failed: then each commit gets a transaction, which shows the one that fails.
    private func store(
        _ commits: [CommittedChanges], _ handler: @escaping Follower.Handler, upTo end: ChangeToken
    ) async throws -> Bool {
        do {
            try await change(movingTo: end) { unit, state in
                for commit in commits { try await handler(commit, unit) }
                state.clearFailure()
            }
            return true
        } catch  where !error.isInterruption {
            return false
        }
    }

    /// Attempts one commit until it succeeds or is set aside.
    private func attempt(
        at commit: CommittedChanges, _ body: (isolated FollowerRun) async throws -> Void
    ) async throws {
        while true {
            do {
                try await body(self)
                handled = commit.token
                return
            } catch  where !error.isInterruption {
                if try await hasAttempts(after: error, at: commit.token) { continue }
                guard case .setAside = follower.policy.lastFailure else { throw try await stop(error.text) }
                let aside = SetAsideChanges(commit, of: state.id, failure: error.text)
                try await change(movingTo: commit.token) { unit, state in
                    try await unit.save(aside)
                    state.clearFailure()
                }
                return parts.report(.setAside(follower.name, at: commit.token, error))
            }
        }
    }

    /// Reads all entities again, in place of the commits before a position.
    private func readAgain(before token: ChangeToken) async throws {
        guard case .again(_, let body) = follower.restart else {
            throw try await stop("the journal does not retain the next commits; reset the follower")
        }
        while true {
            do {
                try await body(parts.manager)
                return try await move(to: token)
            } catch  where !error.isInterruption {
                guard try await hasAttempts(after: error, at: token) else { throw try await stop(error.text) }
            }
        }
    }

    /// Counts a failed attempt, and waits before the next one; `false` after the last one.
    private func hasAttempts(after error: any Error, at token: ChangeToken) async throws -> Bool {
        let attempts = state.attempts + 1
        if attempts >= follower.policy.attempts { return false }
        try await change { _, state in (state.attempts, state.failure) = (attempts, error.text) }
        if attempts == 1 { parts.report(.failed(follower.name, error)) }
        try await parts.clock.sleep(follower.policy.pause(after: attempts))
        return true
    }
}
