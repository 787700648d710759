internal import CookbookDomain
internal import LarderDomain
internal import LarderFollowers
internal import LarderFollowersService
internal import Logging

extension Container: FollowersContainer {
    /// Announces new recipes in the log, each at least once, and at most every five minutes.
    func followers(of api: CookbookAPI) -> [Follower] {
        var announcements = Follower.calling("announcements", changesOf: [Recipe.entityName]) { changes, _ in
            let count = changes.entries.count { $0.kind == .inserted }
            guard count > 0 else { return }
            withLogger { $0.info("new recipes", metadata: ["count": "\(count)", "commit": "\(changes.id)"]) }
        }
        announcements.policy.interval = .seconds(300)
        // After a restore, it continues with the next recipe.
        announcements.restart = .again(atStart: false) { _ in }
        return [announcements]
    }
}
