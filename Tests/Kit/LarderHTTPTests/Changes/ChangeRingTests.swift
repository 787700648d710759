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
        while let commit = ring.commit(after: place) {
            place = commit.token.position
            kept.append(place)
        }
        return kept
    }

    @Test func `the last commits are kept, in order`() {
        var ring = ring(commits: 3)
        for sequence in Int64(1)...11 { ring.append(TestFeed.commit(sequence)) }
        #expect(kept(ring) == [9, 10, 11])
        #expect((ring.floor, ring.newest, ring.changes) == (8, 11, 3))
        #expect(ring.commit(after: 10)?.token.position == 11)
        #expect(ring.commit(after: 11) == nil && ring.commit(after: 12) == nil && ring.commit(after: 7) == nil)
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

    @Test func `a commit of more changes than the bound is kept alone`() {
        var ring = ring(commits: 8, changes: 10)
        ring.append(TestFeed.commit(1))
        ring.append(TestFeed.commit(2, changes: 11))
        #expect(kept(ring) == [2])
        #expect((ring.count, ring.changes, ring.floor) == (1, 11, 1))
        ring.append(TestFeed.commit(3))
        #expect(kept(ring) == [3])
    }

    @Test func `a gap empties the ring`() {
        var ring = ring(commits: 8)
        ring.append(TestFeed.commit(1))
        ring.appendGap(upTo: 2)
        #expect((ring.count, ring.floor, ring.newest) == (0, 2, 2))
        #expect(ring.commit(after: 2) == nil)
        ring.append(TestFeed.commit(3))
        #expect(kept(ring) == [3])
    }

    @Test func `positions need not be consecutive`() {
        var ring = ring(commits: 3)
        for position in stride(from: Int64(10), through: 70, by: 10) { ring.append(TestFeed.commit(position)) }
        #expect(kept(ring) == [50, 60, 70])
        #expect((ring.floor, ring.newest, ring.changes) == (40, 70, 3))
        #expect(ring.commit(after: 39) == nil && ring.commit(after: 70) == nil && ring.commit(after: 71) == nil)
        for position in Int64(40)...69 {
            #expect(ring.commit(after: position)?.token.position == (position / 10 + 1) * 10)
        }
    }
}
