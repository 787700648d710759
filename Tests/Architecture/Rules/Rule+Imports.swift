extension Rule {
    /// No other rule would apply to a source outside all layers.
    public static func everyFileIsInALayer(_ layers: [Layer]) -> Rule {
        Rule("every Swift file lies in a layer") { tree in
            let files = tree.files.filter { $0.isSwift && !$0.isManifest }
            let stray = files.filter { layers.innermost(of: $0.path) == nil }
            return Examination(
                examined: files.count, findings: stray.map { Finding($0.path, 1, "is in no layer") })
        }
    }

    /// A layer without a file is misspelled, unless it may be absent.
    public static func everyLayerHasAFile(_ layers: [Layer]) -> Rule {
        Rule("every layer has a file") { tree in
            let empty = layers.filter { !$0.mayBeAbsent && tree.files(in: [$0.folder]).isEmpty }
            return Examination(
                examined: tree.files.count, findings: empty.map { Finding("\($0.folder) has no file") })
        }
    }

    /// Each import is permitted by the innermost layer of its file.
    public static func everyImportIsAllowed(_ layers: [Layer]) -> Rule {
        forEachFile("every import is on the list of its layer", in: layers.map(\.folder)) { file in
            guard let layer = layers.innermost(of: file.path) else { return [] }
            return file.imports.filter { !layer.imports.permits($0.module) }
                .map { ($0.line, "\(layer.folder) may not import \($0.module)") }
        }
    }

    /// Foundation adds tens of megabytes to a static binary; FoundationEssentials does not.
    public static func foundationOnlyAsFallback(in folders: [String]) -> Rule {
        forEachFile(
            "in \(folders.joined(separator: ", ")), Foundation is imported only where FoundationEssentials does not exist",
            in: folders
        ) { file in
            file.imports.filter { $0.module == "Foundation" && !$0.isFallback }
                .map { ($0.line, "outside the #else of #if canImport(FoundationEssentials)") }
        }
    }

    /// SwiftPM lets an incremental build import any module of the package that happens to be built.
    public static let everyImportIsDeclared = Rule(
        "every import of the package's own modules is a declared dependency"
    ) { tree in
        var result = Examination()
        let own = Set(tree.package.targets.map(\.name))
        for target in tree.package.targets {
            let declared = Set(target.dependencies.map(\.name))
            for file in tree.files(in: [target.folder]).filter(\.isSwift) {
                result.examined += 1
                for line in file.imports where own.contains(line.module) && !declared.contains(line.module) {
                    result.findings.append(
                        Finding(file.path, line.line, "\(target.name) does not declare \(line.module)"))
                }
            }
        }
        return result
    }
}
