import LarderTesting
import Testing

@testable import CookbookApp

/// CPU time as a function of the input: sixteen times the input takes at most 32 times the time, and a hostile text takes
/// at most ten times as long as ASCII of the same length in bytes. Sixteen times keeps the measurement apart from both
/// answers: linear work takes 16 times, quadratic work 256 times the time.
@Suite(.serialized) struct GrowthTests {
    @Test(arguments: Decoder.all)
    func `decoders take linear time up to their limit`(_ decoder: Decoder) async {
        for excess in await ThreadTime.apart({ Self.growth(of: decoder) }) { #expect(Bool(false), "\(excess)") }
    }

    @Test func `each text field of a body, of an import and of a command is read in linear time`() async throws {
        let fields = try TextReader.all(in: try await CookbookHarness())
        #expect(fields.count >= 22)
        for excess in await ThreadTime.apart({ fields.flatMap(Self.excesses) }) { #expect(Bool(false), "\(excess)") }
    }

    /// The standard library compares texts with unordered marks in quadratic time.
    private static func normalize(_ text: String) { _ = text.hashValue }

    @Test func `a quadratic decoder is detected`() async {
        let decoder = Decoder("planted", limit: 16_384) { Self.normalize(String(decoding: $0, as: UTF8.self)) }
        let found = await ThreadTime.apart { Self.growth(of: decoder) }
        #expect(found.contains { $0.contains("marks in the wrong order") }, "\(found)")
    }

    @Test func `a field that is slow for hostile text is detected`() async {
        let field = TextReader(description: "planted", limit: 8_000, most: 8_000, read: Self.normalize)
        let found = await ThreadTime.apart { Self.excesses(of: field) }
        #expect(found.contains { $0.contains("marks in the wrong order") && $0.contains("ASCII") }, "\(found)")
    }

    /// The inputs for which a decoder takes more than 32 times as long as for a sixteenth of the input.
    private static func growth(of decoder: Decoder) -> [String] {
        zip(decoder.inputs(decoder.limit / 16), decoder.inputs(decoder.limit)).compactMap { small, large in
            ThreadTime.excess(of: { decoder.decode(large.bytes) }, over: 32, times: { decoder.decode(small.bytes) })
                .map { "\(decoder), \(small.name): \($0)" }
        }
    }

    /// The hostile texts for which a field takes more than 32 times as long as for a sixteenth of the text, or ten
    /// times as long as for ASCII. One text is as long as the field allows, one as long as the input allows.
    private static func excesses(of field: TextReader) -> [String] {
        HostileText.all.flatMap { hostile -> [String] in
            let lengths = [
                (hostile.text(codePoints: field.limit / 16), hostile.text(codePoints: field.limit)),
                (hostile.text(bytes: field.most / 16), hostile.text(bytes: field.most)),
            ]
            return lengths.flatMap { small, large -> [String] in
                let ascii = String(repeating: "a", count: large.utf8.count)
                let name = "\(field), \(hostile), \(large.utf8.count) bytes"
                return [
                    ThreadTime.excess(of: { field.read(large) }, over: 32, times: { field.read(small) })
                        .map { "\(name): \($0)" },
                    ThreadTime.excess(of: { field.read(large) }, over: 10, times: { field.read(ascii) })
                        .map { "\(name), as ASCII: \($0)" },
                ].compactMap(\.self)
            }
        }
    }
}
