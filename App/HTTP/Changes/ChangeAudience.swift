public import LarderDomain
internal import NIOCore
private import Synchronization

/// The clients of a ``ChangeFeed`` that may see the same part of each commit. Events are encoded once for all of them.
public final class ChangeAudience: Sendable {
    /// Successive commits as the audience gets them.
    struct Run: Sendable {
        /// The position before the first commit.
        let start: Int64
        /// The position of the last commit.
        let end: Int64
        /// Empty if no change is visible.
        let text: ByteBuffer
    }

    let visible: @Sendable (CommittedChanges) -> CommittedChanges?
    private let texts: ChangeTexts
    private let run = Mutex<Run?>(nil)

    /// Makes an audience.
    ///
    /// - Parameters:
    ///   - names: The names of entities in events, by the names of their schemas; by default the schema's name.
    ///   - visible: The part of a commit that the clients may see; `nil` if they may see none.
    public init(
        names: [String: String] = [:],
        visible: @escaping @Sendable (CommittedChanges) -> CommittedChanges? = { $0 }
    ) {
        self.visible = visible
        texts = ChangeTexts(names: names)
    }

    /// Makes an audience that shares the encoded events of commits of which it sees the same part as another.
    public init(
        sharing other: ChangeAudience, visible: @escaping @Sendable (CommittedChanges) -> CommittedChanges?
    ) {
        self.visible = visible
        texts = other.texts
    }

    /// The number of events that were encoded for this audience and the ones that share them. For tests.
    package var encodedCount: Int { texts.encodedCount }

    /// The last run that was encoded. Clients that are resumed together continue after the same position.
    var lastRun: Run? { run.withLock(\.self) }

    /// Encodes a run.
    func encode(_ commits: [CommittedChanges], after start: Int64, bounds: FeedBounds) -> Run {
        var text = ByteBuffer()
        for commit in commits {
            guard let seen = visible(commit) else { continue }
            texts.write(FeedEvent(seen, bounds), to: &text)
        }
        let encoded = Run(start: start, end: commits.last?.token.position ?? start, text: text)
        run.withLock { $0 = encoded }
        return encoded
    }

    /// Encodes another event.
    func text(of event: FeedEvent) -> ByteBuffer {
        var text = ByteBuffer()
        texts.write(event, to: &text)
        return text
    }
}

extension FeedEvent {
    /// The event for the visible part of a commit.
    init(_ seen: CommittedChanges, _ bounds: FeedBounds) {
        self = seen.entries.count > bounds.changesPerEvent ? .reset(.bulk, seen.token) : .commit(seen, seen.token)
    }
}
