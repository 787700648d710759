import LarderArchitecture

/// This repository in terms of its rules.
enum Workspace {
    /// The layers of a service.
    static let layerFolders = ["Domain", "Data", "Infrastructure", "App"]
    /// Libraries that tests of a service use.
    static let testLibraries = ["Tests/StoreContract", "Tests/Architecture", "Tests/Testing"]
    /// Folders whose code is shipped.
    static let product = layerFolders + testLibraries
    /// Folders whose code services link, and that use no third-party package.
    static let core = ["Domain", "Data", "Infrastructure", "Tests/StoreContract"]
    /// The parts of the layers below App that a fork keeps, without optional stores.
    static let coreKit = ["Domain/Kit", "Data/Kit", "Infrastructure/Kit"]
    /// The sources that services link.
    static let wholeKit = coreKit + ["Infrastructure", "App/Kit", "App/HTTP"]

    /// Read once for all rules.
    static let tree = Task {
        var architecture = try Architecture(layers: layers)
        architecture.hiddenFolders = [".ci"]
        architecture.environment["LARDER_CORE"] = nil
        architecture.environment["LARDER_PROOF"] = "1"
        architecture.reads = { path in
            !path.hasPrefix("Tests/Kit/ArchitectureTests/Fixtures/") && isText(path)
        }
        return try await architecture.tree()
    }

    private static func isText(_ path: String) -> Bool {
        let endings = [
            ".swift", ".md", ".sh", ".h", ".modulemap", ".json", ".jsonl", ".txt", ".css", ".html", ".js", ".yaml",
            ".toml", ".lua", ".py",
        ]
        return endings.contains { path.hasSuffix($0) } || path.hasPrefix(".ci/")
            || path.hasPrefix("Tests/Proof/") && !path.contains("/Corpus/")
            || ["Makefile", "LICENSE"].contains(path)
    }
}
