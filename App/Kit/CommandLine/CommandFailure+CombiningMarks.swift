internal import LarderDomain

extension CommandFailure {
    /// The error for the first argument that takes quadratic time to compare, found before the parser compares any
    /// argument; `nil` if there is none. The error names the argument by its option or by its number.
    static func longCombiningRun(in arguments: [String]) -> CommandFailure? {
        guard let index = arguments.firstIndex(where: \.hasLongCombiningRun) else { return nil }
        let bytes = arguments[index].utf8
        let name = bytes.prefix { $0 != UInt8(ascii: "=") }
        let option = name.starts(with: "--".utf8) && name.count < bytes.count ? Substring(name) : nil
        let before = index > 0 && arguments[index - 1].utf8.starts(with: "--".utf8) ? arguments[index - 1][...] : nil
        let place = [option, before].compactMap(\.self).first { !$0.contains { !$0.isASCII } }
        return CommandFailure(
            .usage, "\(place.map(String.init) ?? "argument \(index + 1)") \(TextRefusal.tooManyCombiningMarks)")
    }
}
