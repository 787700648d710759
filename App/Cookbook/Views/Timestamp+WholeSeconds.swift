internal import LarderDomain

extension Timestamp {
    /// The second in which it lies, which is enough for a person.
    var wholeSeconds: Timestamp {
        let second: Int64 = 1_000_000
        let rest = microseconds % second
        return Timestamp(microseconds: microseconds - (rest < 0 ? rest + second : rest))
    }
}
