/// Shrinks a tape that reveals a difference.
struct TapeShrinker: Sendable {
    /// The maximum number of attempts; each takes at most as long as the whole tape.
    var attempts = 3000

    /// Removes frames, first in halves and finally one by one, and replaces bytes with zeros, as long as the difference
    /// remains.
    func shrink(_ tape: Tape, stillFails: (Tape) async -> Bool) async -> Tape {
        var best = tape
        var left = attempts
        func isBetter(_ tape: Tape) async -> Bool {
            left -= 1
            return left >= 0 ? await stillFails(tape) : false
        }
        var before: Tape?
        while before != best, left > 0 {
            before = best
            var length = max(1, best.frameCount / 2)
            while length >= 1 {
                var start = 0
                while start < best.frameCount {
                    let shorter = best.without(frames: start..<min(start + length, best.frameCount))
                    if await isBetter(shorter) { best = shorter } else { start += length }
                }
                length /= 2
            }
            for index in best.bytes.indices where best.bytes[index] != 0 {
                let plainer = best.with(0, at: index)
                if await isBetter(plainer) { best = plainer }
            }
        }
        return best
    }
}
