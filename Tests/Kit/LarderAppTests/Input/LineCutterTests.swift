import LarderApp
import Testing

struct LineCutterTests {
    /// The lines of a text that arrives in chunks: `number:line`, or `number!` for a line that is too long.
    private func cuts(_ text: String, pieces size: Int, longest: Int = 5) -> [String] {
        var cutter = LineCutter(maximumLength: longest)
        var found: [String] = []
        func take() {
            while let cut = cutter.next() {
                switch cut {
                case .line(let line): found.append("\(line.number):" + String(decoding: line.bytes, as: UTF8.self))
                case .tooLong(let number): found.append("\(number)!")
                }
            }
        }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            cutter.append(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
            take()
        }
        cutter.end()
        take()
        return found
    }

    @Test(arguments: 1...30)
    func `pieces of any size give the same lines`(size: Int) {
        #expect(
            cuts("ab\r\n\ncdefg\r\nabcdef\nx\r\nabcdefghijklmn\r\n", pieces: size) == [
                "1:ab", "2:", "3:cdefg", "4!", "5:x", "6!",
            ])
        #expect(cuts("abcdefghij", pieces: size) == ["1!"])
        #expect(cuts("a\nbcdef\r", pieces: size) == ["1:a", "2:bcdef"])
        #expect(cuts("", pieces: size) == [])
    }
}
