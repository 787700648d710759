internal import LarderData

/// The laws of stores, and a function that judges a store by them.
///
/// A store is free in everything that no law covers. A store that keeps every law can replace any other.
public enum StoreContract {
    /// All laws, group by group.
    public static let laws: [Law] = LawGroup.allCases.flatMap { parts(of: $0).joined() + BulkUpdateLaws.all.of($0) }

    private static func parts(of group: LawGroup) -> [[Law]] {
        switch group {
        case .values:
            [
                ValueLaws.all, ValueLaws.text, DomainValueLaws.all.of(group), ValueObjectLaws.all.of(group),
                FoldedTextLaws.all.of(group),
            ]
        case .commits:
            [
                CommitLaws.all, CommitLaws.whole, CommitLaws.faults.of(group), CommitLaws.size, CommitLaws.apart,
                CommitLaws.owned.of(group), CommitLaws.outcomes, CommitLaws.limits, ChangesLaws.manager.of(group),
                CommitLaws.random, CommitLaws.replaced, CommitLaws.running, CommitLaws.strangers.of(group),
            ]
        case .lifecycle: [LifecycleLaws.all, LifecycleLaws.batches, LifecycleLaws.pages.of(group)]
        case .queries:
            [
                QueryLaws.all, QueryLaws.optionals, QueryLaws.parts, QueryLaws.counts, QueryLaws.semantics.of(group),
                QueryLaws.owned, QueryLaws.ids, OrderLaws.size.of(group), OrderLaws.large.of(group), QueryLaws.random,
                SearchLaws.all, LifecycleLaws.pages.of(group), QueryLaws.errors, QueryLaws.sums,
                QueryLaws.zero.of(group), QueryLaws.casing, CommitLaws.strangers.of(group),
                DomainValueLaws.all.of(group), ValueObjectLaws.queries, FoldedTextLaws.all.of(group),
                AggregateLaws.all, AggregateLaws.exact, AggregateLaws.groups, AggregateLaws.figures,
                ReadModelLaws.all.of(group), RelatedLaws.all,
            ]
        case .order:
            [
                OrderLaws.all, OrderLaws.pages, OrderLaws.backwards, StreamLaws.all.of(group),
                QueryLaws.semantics.of(group),
                OrderLaws.size.of(group),
                OrderLaws.large.of(group), QueryLaws.zero.of(group), FoldedTextLaws.all.of(group),
                ReadModelLaws.all.of(group),
            ]
        case .graph: [GraphLaws.all, GraphLaws.lists]
        case .uniqueness:
            [
                UniquenessLaws.all, UniquenessLaws.company, UniquenessLaws.groups, CommitLaws.owned.of(group),
                DomainValueLaws.all.of(group), ValueObjectLaws.all.of(group), FoldedTextLaws.all.of(group),
                KeyLaws.all.of(group),
            ]
        case .deleteRules:
            [
                RemovalLaws.all.of(group), RemovalLaws.versions, DeleteRuleLaws.all, DeleteRuleLaws.references,
                DeleteRuleLaws.repeated, DeleteRuleLaws.owned,
            ]
        case .transactions:
            [
                TransactionLaws.all, TransactionLaws.bounds, TransactionLaws.versions, TransactionLaws.tasks,
                TransactionLaws.nested, ReadModelLaws.all.of(group), RelatedLaws.pending.of(group),
                KeyLaws.all.of(group), StreamLaws.all.of(group),
            ]
        case .conflicts: [ConflictLaws.all, ConflictLaws.change]
        case .changeTracking:
            [ChangeTrackingLaws.all, ChangeTrackingLaws.columns, SearchLaws.writes, ValueObjectLaws.all.of(group)]
        case .changes:
            [
                RelatedLaws.pending.of(group), ChangesLaws.all, ChangesLaws.stream, ChangesLaws.observers,
                ChangesLaws.tokens, JournalLaws.all,
                LiveQueryLaws.all, ChangesLaws.manager.of(group), RemovalLaws.all.of(group), ChangesLaws.arrivals,
                ChangesLaws.future, ChangesLaws.midway,
            ]
        case .storeLife:
            [
                StoreLifeLaws.all, CommitLaws.restored, StoreLifeLaws.kill, StoreLifeLaws.many, StoreLifeLaws.identity,
                RemovalLaws.all.of(group),
            ]
        case .concurrency:
            [
                ConcurrencyLaws.all, ConcurrencyLaws.skew, ConcurrencyLaws.threads, ConcurrencyLaws.snapshots,
                ConcurrencyLaws.refused, ConcurrencyLaws.schemas, ConcurrencyLaws.removals, ConcurrencyLaws.large,
            ]
        case .cancellation: [CancellationLaws.all, CommitLaws.faults.of(group), CancellationLaws.size]
        case .runs: [RunLaws.all]
        }
    }

    /// Judges the stores of one kind. Each law gets a fresh store; laws run one after the other.
    ///
    /// - Parameters:
    ///   - fixture: Opens the stores.
    ///   - laws: The laws; by default all.
    ///   - patience: The time limit of a law, and of opening, closing and discarding its store. At the limit, the law
    ///     is cancelled and counts as broken, also if a call of the store or of the fixture never ends.
    ///   - report: Receives each verdict as soon as it is known.
    public static func judge(
        _ fixture: StoreFixture, laws: [Law] = StoreContract.laws, patience: Duration = .seconds(120),
        report: @Sendable (LawVerdict) -> Void = { _ in }
    ) async -> [LawVerdict] {
        var verdicts: [LawVerdict] = []
        // The names differ between runs, so a run never finds the leftovers of an earlier run.
        let run = String(UInt64.random(in: .min ... .max), radix: 36)
        for (number, law) in laws.enumerated() {
            let verdict = LawVerdict(
                law: law, verdict: await judge(law, fixture, scratch: "law-\(run)-\(number)", patience: patience))
            verdicts.append(verdict)
            report(verdict)
        }
        return verdicts
    }

    private static func judge(
        _ law: Law, _ fixture: StoreFixture, scratch: String, patience: Duration
    ) async -> Verdict {
        let verdict = await verdict(law, fixture, scratch: scratch, patience: patience)
        let isDiscarded: Void? = await result(within: patience) { await fixture.discard(scratch) }
        return isDiscarded == nil ? verdict.unless("discarding the store took longer than \(patience)") : verdict
    }

    private static func verdict(
        _ law: Law, _ fixture: StoreFixture, scratch: String, patience: Duration
    ) async -> Verdict {
        let opened = await result(within: patience) { () -> Result<Trial, any Error> in
            do {
                let trial = try await Trial.begin(fixture, scratch: scratch)
                // The limit has passed, and no caller closes the store, which must not keep its files or connections.
                if Task.isCancelled { await trial.store.close() }
                return .success(trial)
            } catch {
                return .failure(error)
            }
        }
        let trial: Trial
        switch opened {
        case .success(let opened)?: trial = opened
        case .failure(let error)?: return .broken("the store could not be opened: \(error)")
        case nil: return .broken("opening the store took longer than \(patience)")
        }
        let verdict: Verdict
        if let missing = law.needs.subtracting(trial.store.traits.capabilities).first {
            verdict = .notApplicable(missing: missing)
        } else {
            verdict = await check(law, trial, patience: patience)
        }
        let isClosed: Void? = await result(within: patience) { await trial.store.close() }
        return isClosed == nil ? verdict.unless("closing the store took longer than \(patience)") : verdict
    }

    private static func check(_ law: Law, _ trial: Trial, patience: Duration) async -> Verdict {
        let verdict = await result(within: patience) { () -> Verdict in
            do {
                try await law.check(trial)
                return .kept
            } catch let broken as LawBroken {
                return .broken(broken.reason)
            } catch {
                return .broken("unexpected error: \(error)")
            }
        }
        return verdict ?? .broken(Task.isCancelled ? "was cancelled" : "took longer than \(patience)")
    }
}

extension Verdict {
    /// Broken for a reason, unless the law is broken for another one already.
    fileprivate func unless(_ reason: String) -> Verdict { if case .broken = self { self } else { .broken(reason) } }
}

extension [Law] {
    /// The laws of a group.
    fileprivate func of(_ group: LawGroup) -> [Law] { filter { $0.group == group } }
}
