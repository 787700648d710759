/// A statement that must be true of a package.
public struct Rule: Sendable, CustomStringConvertible {
    /// The statement, a sentence.
    public let statement: String
    /// Whether a package keeps the rule if the rule applies to nothing in it.
    ///
    /// False by default, because a rule that matches nothing is misspelled, or its subject has moved.
    public let mayMatchNothing: Bool
    /// Compares a package with the rule.
    public let examine: @Sendable (SourceTree) -> Examination

    /// A rule of any kind.
    public init(
        _ statement: String, mayMatchNothing: Bool = false,
        examine: @escaping @Sendable (SourceTree) -> Examination
    ) {
        self.statement = statement
        self.mayMatchNothing = mayMatchNothing
        self.examine = examine
    }

    /// The statement.
    public var description: String { statement }

    /// The violations of the rule by a package.
    public func findings(in tree: SourceTree) -> [Finding] {
        let result = examine(tree)
        if result.examined == 0, !mayMatchNothing {
            return [Finding("the rule matches nothing: \(statement)")]
        }
        return result.findings
    }
}

extension Rule {
    /// The rules that suit any package: its layers, no crashes in product code, and at most 300 lines in a file.
    public static func standard(for layers: [Layer]) -> [Rule] {
        let product = layers.filter(\.isProduct).map(\.folder)
        return [
            everyFileIsInALayer(layers), everyLayerHasAFile(layers), everyImportIsAllowed(layers),
            everyTargetIsALayer(layers), everyDependencyIsAllowed(layers), everyImportIsDeclared,
            noCrashes(in: product), noForcedTries(in: product), noForcedUnwraps(in: product),
            everyUncheckedPromiseHasAProof(in: product), maximumLines(300),
        ]
    }

    /// A rule about each line of the Swift files of some folders.
    public static func forEachFile(
        _ statement: String, in folders: [String],
        _ broken: @escaping @Sendable (SourceFile) -> [(line: Int, reason: String)]
    ) -> Rule {
        Rule(statement) { tree in
            let files = tree.files(in: folders).filter(\.isSwift)
            let findings = files.flatMap { file in broken(file).map { Finding(file.path, $0.line, $0.reason) } }
            return Examination(examined: files.count, findings: findings)
        }
    }

    /// A rule that no code in some folders matches a pattern. Comments and the text of string literals are not code.
    public static func noCode(
        _ statement: String, matching pattern: @escaping @Sendable () -> Regex<Substring>, in folders: [String]
    ) -> Rule {
        forEachFile(statement, in: folders) { file in
            file.lines(ofCodeMatching: pattern()).map { ($0, "against the rule that \(statement)") }
        }
    }

    /// A rule about each target of the package.
    public static func forEachTarget(
        _ statement: String, where applies: @escaping @Sendable (PackageDescription.Target) -> Bool = { _ in true },
        _ broken: @escaping @Sendable (PackageDescription.Target) -> [String]
    ) -> Rule {
        Rule(statement) { tree in
            let targets = tree.package.targets.filter(applies)
            let findings = targets.flatMap { target in broken(target).map { Finding("\(target.name): \($0)") } }
            return Examination(examined: targets.count, findings: findings)
        }
    }
}
