extension Rule {
    static let imports: [Rule] = [
        Rule(statement: "every Swift file lies in a layer", fixture: .folder("no-layer")) { tree in
            let files = tree.files.filter { $0.isSwift && $0.path != "Package.swift" }
            let violations = files.filter { Layer.of($0.path) == nil }.map { Violation($0.path, 1, "is in no layer") }
            return Findings(examined: files.count, violations: violations)
        },
        Rule(statement: "every layer has a file", fixture: .folder("empty-layer")) { tree in
            let empty = Layer.all.map(\.folder).filter { tree.files(in: [$0]).isEmpty }
            return Findings(examined: tree.files.count, violations: empty.map { Violation("\($0) has no file") })
        },
        forEachFile(
            "every import is on the list of its layer", in: Layer.all.map(\.folder), fixture: .folder("imports")
        ) { file in
            guard let layer = Layer.of(file.path) else { return [] }
            return file.imports.filter { !layer.allowance.permits($0.module) }
                .map { ($0.line, "\(layer.folder) may not import \($0.module)") }
        },
        forEachFile(
            "below App, Foundation is imported only where FoundationEssentials does not exist", in: Layer.core,
            fixture: .folder("foundation")
        ) { file in
            file.imports.filter { $0.module == "Foundation" && !$0.isFallback }
                .map { ($0.line, "outside the #else of #if canImport(FoundationEssentials)") }
        },
        Rule(
            statement: "every import of the package's own modules is a declared dependency",
            fixture: .folder("undeclared")
        ) { tree in
            var findings = Findings()
            let own = Set(tree.package.targets.map(\.name))
            for target in tree.package.targets {
                guard let path = target.path else { continue }
                let declared = Set(target.dependencies.map(\.name))
                for file in tree.files(in: [path]).filter(\.isSwift) {
                    findings.examined += 1
                    for line in file.imports where own.contains(line.module) && !declared.contains(line.module) {
                        findings.violations.append(
                            Violation(file.path, line.line, "\(target.name) does not declare \(line.module)"))
                    }
                }
            }
            return findings
        },
    ]
}
