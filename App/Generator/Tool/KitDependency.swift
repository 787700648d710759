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
                throw Refusal("invalid KIT '\(text)': write path, vendored, or a git address with VERSION")
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

    /// The manifest of the template with this dependency.
    func applied(to manifest: String, from root: URL, for target: URL) throws -> String {
        let dependency =
            switch self {
            case .path: #".package(name: "larder", path: "\#(Self.relative(root, to: target))")"#
            case .vendored: #".package(name: "larder", path: "Kit")"#
            case .version(let version, let address):
                #".package(url: "\#(Self.escaped(address))", \#(Self.requirement(version)))"#
            }
        let line = #".package(name: "larder", path: "../..")"#
        guard manifest.contains(line) else { throw Refusal("the template's manifest does not contain \(line)") }
        let result = manifest.replacing(line, with: dependency)
        guard case .version = self else { return result }
        return result.replacing(#"package: "larder""#, with: #"package: "\#(Self.escaped(identity(from: root)))""#)
    }

    /// A minor version below 1.0.0 may be incompatible.
    private static func requirement(_ version: String) -> String {
        version.hasPrefix("0.") ? #".upToNextMinor(from: "\#(version)")"# : #"from: "\#(version)""#
    }

    private static func relative(_ path: URL, to folder: URL) -> String {
        let (from, to) = (folder.resolvingParents.pathComponents, path.resolvingSymlinksInPath().pathComponents)
        let common = zip(from, to).prefix { $0 == $1 }.count
        let steps = Array(repeating: "..", count: from.count - common) + to.dropFirst(common)
        return escaped(steps.joined(separator: "/"))
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    }

    /// Copies the products without their tests. The manifest omits targets whose folders are missing.
    static func copyProducts(of root: URL, to folder: URL) throws {
        let parts = [
            "LICENSE", "Domain/Kit", "Data/Kit", "Infrastructure/CLarderPostgres", "Infrastructure/CLarderSQLCipher",
            "Infrastructure/CLarderSQLite", "Infrastructure/Decorators", "Infrastructure/Kit",
            "Infrastructure/Postgres",
            "App/Kit", "App/HTTP", "App/Generator", "Tests/StoreContract", "Tests/Architecture", "Tests/Testing",
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
