import Foundation

/// How a service gets the kit.
enum KitDependency: Equatable {
    /// From the folder of the kit that creates the service.
    case path
    /// From a copy of its products, in the folder `Kit` of the service.
    case vendored
    /// From a git repository, at a version or a later compatible one.
    case version(String, address: String)

    init(_ text: String, version: String?) throws {
        switch text {
        case "path": self = .path
        case "vendored": self = .vendored
        default:
            guard text.contains(":") else {
                throw Refusal("invalid KIT '\(text)': write the word path or vendored, or a git address with VERSION")
            }
            guard let version, version.wholeMatch(of: /\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?/) != nil else {
                throw Refusal("invalid VERSION '\(version ?? "")': a git address requires one, such as 1.0.0")
            }
            self = .version(version, address: text)
        }
        if version != nil, self == .path || self == .vendored {
            throw Refusal("VERSION requires a git address: write KIT=ADDRESS")
        }
    }

    /// SwiftPM's name of the package.
    func identity(from root: URL) -> String {
        switch self {
        case .path: root.lastPathComponent.lowercased()
        case .vendored: "kit"
        case .version(_, let address):
            URL(filePath: address).lastPathComponent.lowercased().replacing(/\.git$/, with: "")
        }
    }

    /// The changes of the template for this dependency, after the service has its names.
    ///
    /// - Parameters:
    ///   - name: The name that the user chose.
    ///   - options: The further arguments of `make new`.
    func edits(from root: URL, for target: URL, traits: String, name: String, options: String) -> [Edit] {
        let path = Self.relative(root, to: target)
        let (source, others): (String, [Edit]) =
            switch self {
            case .path:
                (
                    #"name: "larder", path: "\#(Self.escaped(path))""#,
                    [
                        ("Dockerfile", "# Build:", "the image's context"),
                        (".github/workflows/ci.yml", "name: CI", "the checkout"),
                    ].map { file, first, place in
                        Edit(file, first, Self.remark(path, place, name, options) + first)
                    }
                )
            case .vendored:
                (
                    #"name: "larder", path: "Kit""#,
                    [
                        Edit("Dockerfile", "COPY Package.* ./\n", "COPY Package.* ./\nCOPY Kit Kit\n"),
                        Edit(
                            "Tests/LayerTests.swift", #"        Layer("Tests""#,
                            #"        Layer("Kit", imports: .any, isProduct: false),"# + "\n"
                                + #"        Layer("Tests""#),
                    ]
                )
            case .version(let version, let address):
                (
                    #"url: "\#(Self.escaped(address))", \#(Self.requirement(version))"#,
                    [
                        Edit(
                            "Package.swift", #"package: "larder""#,
                            #"package: "\#(Self.escaped(identity(from: root)))""#)
                    ]
                )
            }
        let line = #".package(name: "larder", path: "../..")"#
        return [Edit("Package.swift", line, ".package(\(source)\(traits))")] + others
    }

    /// Says in a file that a dependency by path is not enough for it, and how to replace that.
    private static func remark(_ path: String, _ place: String, _ name: String, _ options: String) -> String {
        """
        # This works only after the service depends on a copy or on a version of the kit: Package.swift names its folder,
        # \(path), which is no part of \(place). Create the service again with KIT=vendored, or with
        # KIT=ADDRESS VERSION=1.0.0, and take the files that differ (Kit is one of a copy only):
        #   make -C \(quoted(path)) new NAME=\(quoted(name)) AT="$PWD.new" KIT=vendored\(options)
        #   tar -cC "$PWD.new" Package.swift Dockerfile .github Tests/LayerTests.swift Kit | tar -x

        """
    }

    private static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: #"'\''"#))'" }

    /// A minor version below 1.0.0 may be incompatible.
    private static func requirement(_ version: String) -> String {
        version.hasPrefix("0.") ? #".upToNextMinor(from: "\#(version)")"# : #"from: "\#(version)""#
    }

    /// Whether a dependency by path is the default: within the kit's folder, or beside it.
    static func isNear(_ target: URL, to root: URL) -> Bool {
        let (root, target) = (root.resolvingSymlinksInPath(), target.resolvingParents)
        let above = root.deletingLastPathComponent()
        return target.deletingLastPathComponent().pathComponents == above.pathComponents
            || target.pathComponents.starts(with: root.pathComponents)
    }

    private static func relative(_ path: URL, to folder: URL) -> String {
        let (from, to) = (folder.resolvingParents.pathComponents, path.resolvingSymlinksInPath().pathComponents)
        let common = zip(from, to).prefix { $0 == $1 }.count
        let steps = Array(repeating: "..", count: from.count - common) + to.dropFirst(common)
        return steps.joined(separator: "/")
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    }

    /// Copies the products without their tests. The manifest omits targets whose folders are missing.
    static func copyProducts(of root: URL, to folder: URL) throws {
        let parts = [
            "LICENSE", "Domain/Kit", "Data/Kit", "Data/Followers", "Infrastructure/CLarderPostgres",
            "Infrastructure/CLarderSQLCipher", "Infrastructure/CLarderSQLite", "Infrastructure/Decorators",
            "Infrastructure/Kit",
            "Infrastructure/Postgres",
            "App/Kit", "App/HTTP", "App/Followers", "App/OpenID", "App/Webhooks", "App/Generator",
            "Tests/StoreContract", "Tests/Architecture",
            "Tests/Testing",
            // The template, from which the example is removed.
            "Tests/Starter",
        ]
        for part in parts {
            let copy = folder.appending(path: part)
            try FileManager.default.createDirectory(
                at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
            try FileManager.default.copyItem(at: root.appending(path: part), to: copy)
        }
        let manifest = try String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)
        let end = manifest.range(of: "\n// MARK: The sample")?.lowerBound ?? manifest.endIndex
        try String(manifest[..<end]).write(below: folder, "Package.swift")
    }
}

extension URL {
    /// The URL without symbolic links in its parents. The last component need not exist.
    fileprivate var resolvingParents: URL {
        deletingLastPathComponent().resolvingSymlinksInPath().appending(path: lastPathComponent)
    }
}
