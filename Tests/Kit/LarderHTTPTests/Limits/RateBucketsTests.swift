import HTTPTypes
import Testing

@testable import LarderHTTP

struct RateBucketsTests {
    private let start = ContinuousClock.now
    private let policy = RatePolicy(name: "user", rate: 10, burst: 3)
    private var buckets: RateBuckets

    init() { buckets = RateBuckets(at: start) }

    /// Whether a request is admitted, some milliseconds after the start.
    private mutating func take(_ key: String?, at milliseconds: Int = 0) -> Bool {
        buckets.take(for: key, policy, at: start + .milliseconds(milliseconds)).wait == nil
    }

    @Test mutating func `a burst is admitted at once, and then the rate`() {
        var admitted = (0..<10).map { _ in take("ann") }
        #expect(admitted == [true, true, true] + Array(repeating: false, count: 7))
        // For ten seconds, a request each millisecond: a hundred are admitted, and those of the last 0.1 s.
        admitted = (1...10_000).map { take("ann", at: $0) }
        #expect(admitted.count { $0 } == 100)
        // After a pause, a bucket has its burst again, and no more.
        admitted = (0..<10).map { _ in take("ann", at: 60_000) }
        #expect(admitted.count { $0 } == 3)
    }

    @Test mutating func `a caller at a thousand requests a second takes nothing from others`() {
        var (ann, others) = (0, 0)
        for millisecond in 0..<1_000 {
            if take("ann", at: millisecond) { ann += 1 }
            guard millisecond % 100 == 0 else { continue }
            for key in ["bob", "eve", nil] where take(key, at: millisecond) { others += 1 }
        }
        #expect(ann == 12)
        #expect(others == 30)
    }

    @Test mutating func `anonymous callers share a bucket, which is no caller's`() {
        #expect((0..<5).map { _ in take(nil) } == [true, true, true, false, false])
        #expect(take("") && take("ann"))
        #expect(buckets.callers.count == 2)
    }

    @Test func `the fields of a response have the quota, what is left, and the time until it is complete`() {
        var bucket = start
        let policy = RatePolicy(name: "user", rate: 2, burst: 5)
        let taken = (0..<6).map { _ in policy.take(from: &bucket, at: start) }
        #expect(
            taken.map { policy.fields($0.deficit)[.rateLimit] } == [
                #""user";r=4;t=1"#, #""user";r=3;t=1"#, #""user";r=2;t=2"#, #""user";r=1;t=2"#, #""user";r=0;t=3"#,
                #""user";r=0;t=3"#,
            ])
        #expect(taken.map(\.wait) == [nil, nil, nil, nil, nil, 1])
        #expect(policy.fields(taken[5].deficit)[.rateLimitPolicy] == #""user";q=5;w=3"#)
        #expect(policy.take(from: &bucket, at: start + .milliseconds(500)).wait == nil)
        // Rounded up: a client that waits as long is admitted.
        let slow = RatePolicy(name: "user", rate: 1, burst: 1)
        var other = start
        _ = slow.take(from: &other, at: start)
        #expect(slow.take(from: &other, at: start + .milliseconds(1)).wait == 1)
        #expect(slow.take(from: &other, at: start + .milliseconds(999)).wait == 1)
        #expect(slow.take(from: &other, at: start + .seconds(1)).wait == nil)
    }

    @Test mutating func `of a million callers, no more buckets are stored than the limit, and none is reset`() {
        for _ in 0..<3 { #expect(take("victim")) }
        var admitted = 0
        for number in 1...1_000_000 where take("caller \(number)") { admitted += 1 }
        #expect(buckets.callers.count == RateBuckets.limit)
        // Those beyond the limit share one bucket.
        #expect(admitted == RateBuckets.limit - 1 + 3)
        #expect(!take("victim") && take("caller 1"))
        // Buckets that are full make room, at the earliest after a second.
        #expect(!take("late 1", at: 50))
        #expect(take("late 2", at: 999) && buckets.callers["late 2"] == nil)
        #expect(take("late 3", at: 1_000))
        #expect(Set(buckets.callers.keys) == ["late 3"])
    }

    @Test mutating func `a million callers in ten seconds each have a bucket of their own`() {
        var (refused, most) = (0, 0)
        for number in 0..<1_000_000 {
            let millisecond = number / 100
            if !take("caller \(number)", at: millisecond) { refused += 1 }
            most = max(most, buckets.callers.count)
            guard number % 1_000 == 0 else { continue }
            // The third request of the burst is admitted, not a fourth one.
            let more = (0..<3).map { _ in take("caller \(number)", at: millisecond) }
            if more != [true, true, false] { refused += 1 }
        }
        #expect(refused == 0)
        #expect(most == RateBuckets.limit)
    }
}
