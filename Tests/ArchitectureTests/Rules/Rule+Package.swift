extension Rule {
    static let package: [Rule] = [
        forEachTarget(
            "every target is the target of a layer", fixture: .folder("package-layers"), where: { _ in true }
        ) { target in
            Layer.of(target.path ?? "")?.folder == target.path ? [] : ["its path is \(target.path ?? "the default")"]
        },
        forEachTarget(
            "every target depends on what is on the list of its layer", fixture: .folder("package-dependencies"),
            where: { !$0.dependencies.isEmpty }
        ) { target in
            guard let layer = Layer.of(target.path ?? "") else { return ["is in no layer"] }
            return target.dependencies.filter { !layer.allowance.permits($0.name) }
                .map { "\(layer.folder) may not depend on \($0.name)" }
        },
        forEachTarget(
            "only App and its tests depend on other packages", fixture: .folder("package-third-parties"),
            where: { !["App", "Tests/LarderAppTests", "Tests/CookbookAppTests"].contains($0.firstFolders) }
        ) { target in
            target.dependencies.filter(\.isProduct).map { "depends on \($0.name) of another package" }
        },
        forEachTarget(
            "every target is written in strict Swift 6 with the features of Swift 7",
            fixture: .folder("package-settings"), where: { $0.type != "system" }
        ) { target in
            Set(strictSettings).subtracting(target.settings.map(\.text)).sorted().map { "lacks \($0)" }
        },
        Rule(statement: "no library product brings the sample", fixture: .folder("package-products")) { tree in
            let libraries = tree.package.products.filter { $0.name.hasPrefix("Larder") }
            let samples = libraries.filter { $0.targets.contains { $0.hasPrefix("Cookbook") } }
            return Findings(
                examined: libraries.count, violations: samples.map { Violation("\($0.name) contains the sample") })
        },
    ]

    private static let strictSettings = [
        "swiftLanguageMode 6", "strictMemorySafety", "enableUpcomingFeature ExistentialAny",
        "enableUpcomingFeature ImmutableWeakCaptures", "enableUpcomingFeature InferIsolatedConformances",
        "enableUpcomingFeature InternalImportsByDefault", "enableUpcomingFeature MemberImportVisibility",
        "enableUpcomingFeature NonisolatedNonsendingByDefault",
    ]
}

extension PackageDescription.Target {
    /// The folder that names its layer: the first of its path, two of them below `Tests`.
    fileprivate var firstFolders: String {
        let folders = (path ?? "").split(separator: "/")
        return folders.prefix(folders.first == "Tests" ? 2 : 1).joined(separator: "/")
    }
}
