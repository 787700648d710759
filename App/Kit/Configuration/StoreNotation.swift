/// Parses composed stores: `mirrored(PRIMARY, MIRROR, …, required=1)` and `read-only(STORE)`.
///
/// A member with a comma, a parenthesis or a quotation mark is enclosed in double quotes, in which `""` is one.
struct StoreNotation {
    private static let words = ["mirrored", "read-only", "sealed"]

    private let text: [Character]
    private let environment: UserEnvironment
    private var place = 0

    static func isComposed(_ text: String) -> Bool { words.contains { text.hasPrefix($0 + "(") } }

    static func parse(_ text: String, _ environment: UserEnvironment) throws(StoreLocationError) -> StoreLocation {
        var notation = StoreNotation(text: Array(text), environment: environment)
        let location = try notation.composed()
        guard notation.place == notation.text.count else { throw notation.error("nothing may follow the last ')'") }
        return location
    }

    private init(text: [Character], environment: UserEnvironment) {
        (self.text, self.environment) = (text, environment)
    }

    private mutating func composed() throws(StoreLocationError) -> StoreLocation {
        if take("mirrored(") { return try mirrored() }
        guard take("read-only(") else {
            throw error("columns are sealed by the setting sealing-keys, and whole stores by passphrase")
        }
        skipSpaces()
        let base = take("mirrored(") ? try mirrored() : try member().location
        skipSpaces()
        guard take(")") else { throw error("')' is missing") }
        return .readOnly(base)
    }

    private mutating func mirrored() throws(StoreLocationError) -> StoreLocation {
        let start = place
        var (members, required, limit) = ([StoreLocation](), 0, place)
        var named: Set<StoreLocation> = []
        repeat {
            skipSpaces()
            limit = place
            if take("required=") {
                guard let number = Int(try word().text), number >= 0 else {
                    throw error("required must be a non-negative integer", at: limit)
                }
                required = number
            } else {
                let (location, at) = try member()
                guard named.insert(location).inserted else { throw error("\(location) is named twice", at: at) }
                members.append(location)
            }
            skipSpaces()
        } while take(",")
        guard take(")") else { throw error("',' or ')' is missing") }
        guard let primary = members.first, members.count > 1 else {
            throw error("a primary and a mirror are required", at: start)
        }
        guard required < members.count else {
            throw error("required exceeds the number of mirrors, \(members.count - 1)", at: limit)
        }
        return .mirrored(primary: primary, mirrors: Array(members.dropFirst()), required: required)
    }

    private mutating func member() throws(StoreLocationError) -> (location: StoreLocation, at: Int) {
        let (text, at) = try word()
        do throws(StoreLocationError) {
            return (try StoreLocation(plain: text, environment: environment), at)
        } catch let failure {
            throw error(failure.reason, at: at)
        }
    }

    /// The text up to a comma or parenthesis, or in quotation marks, and its place.
    private mutating func word() throws(StoreLocationError) -> (text: String, at: Int) {
        let start = place
        guard take("\"") else {
            place = text[start...].firstIndex { ",()\"".contains($0) } ?? text.count
            var word = text[start..<place]
            if place < text.count, "(\"".contains(text[place]) {
                if Self.words.contains(String(word)) { throw error("a member must be a single store", at: start) }
                throw error("enclose a member with this character in double quotes")
            }
            while word.last == " " { word.removeLast() }
            return (String(word), start)
        }
        var word = ""
        while place < text.count {
            let next = text[place]
            place += 1
            guard next == "\"" else { word.append(next); continue }
            if !take("\"") { return (word, start) }
            word.append(next)
        }
        throw error("the closing quotation mark is missing", at: start)
    }

    private mutating func take(_ expected: String) -> Bool {
        guard text[place...].starts(with: expected) else { return false }
        place += expected.count
        return true
    }

    private mutating func skipSpaces() { while place < text.count, text[place] == " " { place += 1 } }

    private func error(_ reason: String, at column: Int? = nil) -> StoreLocationError {
        StoreLocationError(String(text), reason, column: column ?? place)
    }
}

extension StoreLocation {
    /// The text as a member of a composed store.
    var memberText: String {
        let text = description
        guard text.contains(where: { ",()\"".contains($0) }) || text.last == " " else { return text }
        return "\"" + text.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
    }
}
