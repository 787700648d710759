internal import LarderDomain

/// The bytes of a model-based run. Any sequence of bytes is a valid run.
///
/// A tape is a sequence of frames of equal length, one operation each. Removing a frame does not change the meaning of
/// the others.
struct Tape: Sendable, Equatable {
    /// The number of bytes in a frame.
    static let frameLength = 12

    private(set) var bytes: [UInt8]

    /// Makes a tape from bytes. Zeros fill a short last frame.
    init(_ bytes: [UInt8]) {
        let rest = bytes.count % Self.frameLength
        self.bytes = bytes + [UInt8](repeating: 0, count: rest == 0 ? 0 : Self.frameLength - rest)
    }

    /// The given number of random frames.
    init(frames: Int, using chance: inout Chance) {
        bytes = []
        bytes.reserveCapacity(frames * Self.frameLength + 8)
        while bytes.count < frames * Self.frameLength {
            var word = chance.next()
            for _ in 0..<8 {
                bytes.append(UInt8(truncatingIfNeeded: word))
                word >>= 8
            }
        }
        bytes.removeLast(bytes.count - frames * Self.frameLength)
    }

    var frameCount: Int { bytes.count / Self.frameLength }

    subscript(frame index: Int) -> ArraySlice<UInt8> {
        bytes[(index * Self.frameLength)..<((index + 1) * Self.frameLength)]
    }

    /// The tape without some frames.
    func without(frames: Range<Int>) -> Tape {
        var tape = self
        tape.bytes.removeSubrange((frames.lowerBound * Self.frameLength)..<(frames.upperBound * Self.frameLength))
        return tape
    }

    /// The tape with one byte replaced.
    func with(_ byte: UInt8, at index: Int) -> Tape {
        var tape = self
        tape.bytes[index] = byte
        return tape
    }
}

extension Tape: LosslessStringConvertible {
    /// Hexadecimal digits, a hyphen between frames.
    var description: String {
        (0..<frameCount).map { self[frame: $0].hexadecimal }.joined(separator: "-")
    }

    /// Parses the format of ``description``, ignoring hyphens and spaces. `nil` for any other text.
    init?(_ description: String) {
        let digits = description.filter { $0 != "-" && !$0.isWhitespace }.utf8.map(\.hexadecimalValue)
        guard digits.count.isMultiple(of: 2), !digits.contains(nil) else { return nil }
        let values = digits.compactMap { $0 }
        self.init(stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] })
    }
}
