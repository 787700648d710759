import LarderArchitecture
import Testing

/// A rule, and a fixture that breaks it.
struct Checked: Sendable, CustomTestStringConvertible {
    let rule: Rule
    let fixture: Fixture

    init(_ rule: Rule, _ fixture: Fixture) {
        self.rule = rule
        self.fixture = fixture
    }

    var testDescription: String { rule.statement }
}

extension Checked {
    static let imports = [
        Checked(.everyFileIsInALayer(Workspace.layers), .folder("no-layer")),
        Checked(.everyLayerHasAFile(Workspace.layers), .folder("empty-layer")),
        Checked(.everyImportIsAllowed(Workspace.layers), .folder("imports")),
        Checked(.foundationOnlyAsFallback(in: Workspace.core), .folder("foundation")),
        Checked(.everyImportIsDeclared, .folder("undeclared")),
    ]

    static let package = [
        Checked(.everyTargetIsALayer(Workspace.layers), .folder("package-layers")),
        Checked(.everyDependencyIsAllowed(Workspace.layers), .folder("package-dependencies")),
        Checked(
            .packagesOnly(in: [
                "App", "Tests/Testing", "Tests/Kit/LarderAppTests", "Tests/Kit/LarderHTTPTests",
                "Tests/Kit/LarderTestingTests", "Tests/Kit/LarderWebhooksTests", "Tests/Cookbook/CookbookAppTests",
                "Tests/Proof/Program",
            ]),
            .folder("package-third-parties")),
        Checked(.everyTargetHas(settings: strictSettings), .folder("package-settings")),
        Checked(
            Rule("no library product brings the sample") { tree in
                let libraries = tree.package.products.filter { $0.name.hasPrefix("Larder") }
                let samples = libraries.filter { $0.targets.contains { $0.hasPrefix("Cookbook") } }
                return Examination(
                    examined: libraries.count, findings: samples.map { Finding("\($0.name) contains the sample") })
            }, .folder("package-products")),
    ]

    static let code = [
        Checked(.noCrashes(in: Workspace.product), .folder("crashes")),
        Checked(.noForcedTries(in: Workspace.product), .folder("forced")),
        Checked(.noForcedUnwraps(in: Workspace.product), .folder("unwraps")),
        Checked(.everyUncheckedPromiseHasAProof(in: Workspace.product), .folder("unchecked")),
        // A predicate can capture only codable values.
        Checked(.noCoding(in: ["Domain"], except: ["Domain/Kit/Values"]), .folder("codable")),
        Checked(.noWords(sampleWords, in: Workspace.wholeKit), .folder("words")),
        Checked(
            Rule("no file names a place on somebody's machine (an invented Ada may have a home)") { tree in
                var result = Examination(examined: tree.files.count)
                let place = /\/(?:home\/(?!ada\b)|(?:Users|root|work)\/)/
                for file in tree.files where file.text.contains(place) {
                    for (index, line) in file.lines.enumerated() where line.contains(place) {
                        result.findings.append(Finding(file.path, index + 1, "names a path of one machine"))
                    }
                }
                return result
            }, .folder("machine-paths")),
    ]

    static let size = [
        Checked(
            .maximumLines(300), .generated { SourceTree(files: [Fixture.file("Data/Kit/Long.swift", lines: 301)]) }),
        // The laws of the contract are longer than the layers; in one rule with them, the sample would hide that.
        // 60 before every public symbol had a comment.
        Checked(.medianLines(61, in: Workspace.layerFolders), medianFixture("Data/Kit", 61)),
        Checked(.medianLines(80, in: Workspace.testLibraries), medianFixture("Tests/StoreContract", 80)),
        Checked(
            .maximumLines(100, of: smallestStore),
            .generated { SourceTree(files: [Fixture.file(smallestStore, lines: 101)]) }),
    ]

    private static func medianFixture(_ folder: String, _ limit: Int) -> Fixture {
        .generated {
            SourceTree(files: (0...2).map { Fixture.file("\(folder)/File\($0).swift", lines: limit + $0) })
        }
    }

    private static let strictSettings = [
        "swiftLanguageMode 6", "strictMemorySafety", "enableUpcomingFeature ExistentialAny",
        "enableUpcomingFeature ImmutableWeakCaptures", "enableUpcomingFeature InferIsolatedConformances",
        "enableUpcomingFeature InternalImportsByDefault", "enableUpcomingFeature MemberImportVisibility",
        "enableUpcomingFeature NonisolatedNonsendingByDefault",
    ]
    private static let sampleWords = [
        "cookbook", "recipe", "ingredient", "kitchen", "dish", "soup", "brand", "photo", "admin",
    ]
    private static let smallestStore = "Tests/Kit/LarderStoreContractTests/DictionaryStore.swift"
}
