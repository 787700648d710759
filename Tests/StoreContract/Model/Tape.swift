internal import LarderDomain

/// The bytes that a model-based run is made of. Any bytes are a run: every one is read as something.
///
/// A tape is a row of frames of equal length, one operation each, so that a piece can be cut out and the rest still means
/// what it meant.
struct Tape: Sendable, Equatable {
    /// Bytes in a frame.
    static let frameLength = 12

    private(set) var bytes: [UInt8]

    /// Takes bytes; a last frame that is short is filled up with zeros.
    init(_ bytes: [UInt8]) {
        let rest = bytes.count % Self.frameLength
        self.bytes = bytes + [UInt8](repeating: 0, count: rest == 0 ? 0 : Self.frameLength - rest)
    }

    /// So many frames by chance.
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

    /// The tape with another byte at one place.
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

    /// Reads what ``description`` writes; hyphens and spaces mean nothing. `nil` for any other text.
    init?(_ description: String) {
        let digits = description.filter { $0 != "-" && !$0.isWhitespace }.utf8.map(\.hexadecimalValue)
        guard digits.count.isMultiple(of: 2), !digits.contains(nil) else { return nil }
        let values = digits.compactMap { $0 }
        self.init(stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] })
    }
}
