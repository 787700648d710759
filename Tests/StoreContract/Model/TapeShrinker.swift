/// Makes a tape that shows a mistake as short and as plain as it can.
struct TapeShrinker: Sendable {
    /// How often the tape may be tried; each time takes at most as long as the whole tape did.
    var attempts = 3000

    /// Cuts frames out, half of them at first and single ones at last, and puts zeros in the place of bytes, as long as
    /// the mistake stays.
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
