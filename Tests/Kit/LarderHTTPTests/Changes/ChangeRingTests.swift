import LarderDomain
@testable import LarderHTTP
import Testing

struct ChangeRingTests {
    private func ring(commits: Int, changes: Int = 1000) -> ChangeRing {
        var bounds = FeedBounds()
        bounds.commits = commits
        bounds.changes = changes
        return ChangeRing(bounds, after: 0)
    }

    private func kept(_ ring: ChangeRing) -> [Int64] {
        var (place, kept) = (ring.floor, [Int64]())
        while let (number, commit) = ring.commit(after: place) {
            #expect(commit.token.position == number)
            kept.append(number)
            place = number
        }
        return kept
    }

    @Test func `the last commits are kept, in order`() {
        var ring = ring(commits: 3)
        for sequence in Int64(1)...11 { ring.append(TestFeed.commit(sequence)) }
        #expect(kept(ring) == [9, 10, 11])
        #expect((ring.floor, ring.newest, ring.changes) == (8, 11, 3))
        #expect(ring.commit(after: 10)?.number == 11)
        #expect(ring.commit(after: 11) == nil)
    }

    @Test func `changes are bounded as well as commits`() {
        var ring = ring(commits: 8, changes: 10)
        for sequence in Int64(1)...6 { ring.append(TestFeed.commit(sequence, changes: 4)) }
        #expect(kept(ring) == [5, 6])
        ring.append(TestFeed.commit(7, changes: 10))
        #expect(kept(ring) == [7])
        #expect(ring.changes == 10)
        for sequence in Int64(8)...30 { ring.append(TestFeed.commit(sequence)) }
        #expect(kept(ring) == Array(23...30))
    }

    @Test func `a commit that alone is too much empties the ring`() {
        var ring = ring(commits: 8, changes: 10)
        ring.append(TestFeed.commit(1))
        ring.append(TestFeed.commit(2, changes: 11))
        #expect((ring.count, ring.changes, ring.floor, ring.lost) == (0, 0, 2, 2))
        ring.append(TestFeed.commit(3))
        #expect(kept(ring) == [3])
    }

    @Test func `a gap has a number and empties the ring`() {
        var ring = ring(commits: 8)
        ring.append(TestFeed.commit(1))
        #expect((ring.floor, ring.lost) == (0, 0))
        ring.appendGap(upTo: 2)
        #expect((ring.floor, ring.lost, ring.newest) == (2, 2, 2))
        #expect(ring.commit(after: 2) == nil)
        ring.append(TestFeed.commit(3))
        #expect((ring.floor, ring.lost) == (2, 2))
        #expect(kept(ring) == [3])
    }
}
