/// One violation of a rule.
public struct Finding: Sendable, CustomStringConvertible {
    /// The position, or `nil` for a finding about a target or the whole package.
    public let place: Place?
    /// The reason.
    public let reason: String

    /// A line of a file.
    public struct Place: Sendable, Hashable {
        /// The path from the root of the package.
        public let path: String
        /// The line number, from 1.
        public let line: Int

        /// A line of a file.
        public init(path: String, line: Int) {
            self.path = path
            self.line = line
        }
    }

    /// A finding without a position.
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

/// The result of a rule: the number of examined parts, and its findings.
public struct Examination: Sendable {
    /// The number of files, targets, or other parts that the rule applies to.
    public var examined: Int
    /// The violations.
    public var findings: [Finding]

    /// A result, empty by default.
    public init(examined: Int = 0, findings: [Finding] = []) {
        self.examined = examined
        self.findings = findings
    }
}
