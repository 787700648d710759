/// The buckets of a ``RateLimiter``, each as the time at which it is full again.
///
/// At most ``limit`` buckets of callers are stored. A full bucket equals a new one, so full ones are removed to make room.
/// If none is full, further callers share one bucket: a bucket that is not full is never replaced by a new one.
struct RateBuckets {
    static let limit = 65_536

    private(set) var callers: [String: ContinuousClock.Instant] = [:]
    private var anonymous: ContinuousClock.Instant
    /// Of callers beyond ``limit``.
    private var others: ContinuousClock.Instant
    /// When full buckets may be removed again.
    private var nextClearing: ContinuousClock.Instant

    /// - Parameter present: A time at which all buckets are full.
    init(at present: ContinuousClock.Instant) {
        (anonymous, others, nextClearing) = (present, present, present)
    }

    /// Takes a token from the bucket of a caller; `nil` is every anonymous one.
    mutating func take(
        for key: String?, _ policy: RatePolicy, at present: ContinuousClock.Instant
    ) -> (deficit: Duration, wait: Int64?) {
        guard let key else { return policy.take(from: &anonymous, at: present) }
        if callers.count >= Self.limit, callers[key] == nil {
            clear(at: present)
            if callers.count >= Self.limit { return policy.take(from: &others, at: present) }
        }
        return policy.take(from: &callers[key, default: present], at: present)
    }

    /// Removes full buckets. It reads all buckets, so it waits for a second unless it made room for many.
    private mutating func clear(at present: ContinuousClock.Instant) {
        guard present >= nextClearing else { return }
        callers = callers.filter { $0.value > present }
        nextClearing = callers.count > Self.limit / 8 * 7 ? present.advanced(by: .seconds(1)) : present
    }
}
