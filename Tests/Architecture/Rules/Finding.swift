/// One place where a rule is broken.
public struct Finding: Sendable, CustomStringConvertible {
    /// The file and the line, or `nil` if the finding is about a target or the whole package.
    public let place: Place?
    /// What is wrong there.
    public let reason: String

    /// A line of a file.
    public struct Place: Sendable, Hashable {
        /// From the root of the package.
        public let path: String
        /// The number of the line, from 1.
        public let line: Int

        /// A line of a file.
        public init(path: String, line: Int) {
            self.path = path
            self.line = line
        }
    }

    /// A finding without a place.
    public init(_ reason: String) {
        place = nil
        self.reason = reason
    }

    /// A finding in a line of a file.
    public init(_ path: String, _ line: Int, _ reason: String) {
        place = Place(path: path, line: line)
        self.reason = reason
    }

    /// `path:line: reason`, as compilers print it.
    public var description: String { (place.map { "\($0.path):\($0.line): " } ?? "") + reason }
}

/// The result of a rule: how much it has examined, and its findings.
public struct Examination: Sendable {
    /// The number of files, targets or other parts that the rule applies to.
    public var examined: Int
    /// Where they break the rule.
    public var findings: [Finding]

    /// A result, empty unless stated otherwise.
    public init(examined: Int = 0, findings: [Finding] = []) {
        self.examined = examined
        self.findings = findings
    }
}
