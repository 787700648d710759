internal import LarderData
internal import LarderDomain

/// A feature that no store has.
private protocol UnknownFeature: Sendable {}

/// The properties by which a store and its tokens are distinguished from others.
extension StoreLifeLaws {
    static let identity: [Law] = [
        Law(.storeLife, "Two stores have different identities, and tokens of different lifetimes") { trial in
            let identity = trial.store.identity
            let lifetime = try await trial.store.commit(ChangeSet()).token.lifetime
            try expect("the identity, after a commit", trial.store.identity, is: identity)
            try await trial.fresh("second") { second in
                try expect(second.store.identity != identity, "two open stores have one identity")
                let token = try await second.store.commit(ChangeSet()).token
                try expect(token.lifetime != lifetime, "two stores have one lifetime")
            }
        }.tests("store.6", "token.2"),
        Law(.storeLife, "A store does not have a feature of an unknown type") { trial in
            try expect(trial.store.feature((any UnknownFeature).self) == nil, "it has a feature of any type")
        }.tests("feature.2"),
    ]
}
