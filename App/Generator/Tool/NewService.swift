import Foundation

/// A new service: the template, `Tests/Starter`, with other names and another dependency on the kit.
struct NewService {
    private let name: ServiceName
    private let target: URL
    private let kit: KitDependency
    private let store: ServiceStore
    /// The changes of the template before the service gets its names, and after that.
    private let edits: (before: [Edit], after: [Edit])
    private let (hasSample, hasFollowers): (Bool, Bool)
    /// The root of the kit.
    static let root = URL(filePath: #filePath).appending(path: "../../../..").standardizedFileURL
    /// Products of builds, which are not part of the template.
    private static let ignored: Set = [".build", ".swiftpm", "Package.resolved"]

    init(_ arguments: Arguments, in folder: URL) throws {
        let text = try arguments.required("NAME", "my-loans")
        let manifest = try String(contentsOf: Self.root.appending(path: "Package.swift"), encoding: .utf8)
        // SwiftPM requires unique names in all packages of a build.
        name = try ServiceName(text) { manifest.contains("\"\($0)Domain\"") }
        let at = arguments["AT"] ?? "../\(text)"
        target = (at.hasPrefix("/") ? URL(filePath: at) : folder.appending(path: at)).standardizedFileURL
        kit = try KitDependency(arguments["KIT"] ?? "path", version: arguments["VERSION"])
        guard arguments["KIT"] != nil || KitDependency.isNear(target, to: Self.root) else {
            throw Refusal(
                """
                '\(target.path)' is not in the folder of the kit or beside it: choose the dependency on the kit. \
                KIT=vendored is a copy in the service, KIT=ADDRESS VERSION=1.0.0 a git repository, and KIT=path this \
                folder, which other machines, CI and images do not have
                """)
        }
        store = try ServiceStore(arguments["STORE"])
        hasFollowers = try arguments.flag("FOLLOWERS")
        let options = store.argument + (hasFollowers ? " FOLLOWERS=1" : "")
        edits = (
            store.edits + (hasFollowers ? ServiceFollowers.edits : []),
            kit.edits(from: Self.root, for: target, traits: store.traits, name: text, options: options)
        )
        switch arguments["SAMPLE"] {
        case nil: hasSample = true
        case "none": hasSample = false
        case let other?: throw Refusal("invalid SAMPLE '\(other)': write SAMPLE=none, or omit it")
        }
        guard !FileManager.default.fileExists(atPath: target.path) else {
            throw Refusal("'\(target.path)' exists: choose another folder with AT")
        }
        let identity = target.lastPathComponent.lowercased()
        let dependencies = [kit.identity(from: Self.root), "larder", "hummingbird", "swift-argument-parser"]
        guard !dependencies.contains(identity) else {
            throw Refusal("the folder '\(identity)' has the name of a dependency: choose another AT")
        }
    }

    /// Writes the service beside its place, and moves it there when it is complete.
    ///
    /// - Returns: A report.
    func create() throws -> String {
        let parent = target.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        let partial = parent.appending(path: ".\(UUID().uuidString)")
        do {
            try write(to: partial)
            try FileManager.default.moveItem(at: partial, to: target)
        } catch {
            try? FileManager.default.removeItem(at: partial)
            throw error
        }
        return
            "Created \(name.title) in \(target.path). Next: cd there, and run 'make test' or 'make run'.\(store.advice)"
    }

    private func write(to folder: URL) throws {
        let template = Self.root.appending(path: "Tests/Starter")
        let paths = try Self.files(below: template)
        for edit in edits.before + edits.after where !paths.contains(edit.path) {
            throw Refusal("the template has no file '\(edit.path)'")
        }
        for path in paths where hasSample || !Sample.contains(path) {
            var text = try String(contentsOf: template.appending(path: path), encoding: .utf8)
            if !hasSample { text = Sample.removed(from: text) }
            text = name.applied(to: try edits.before.applied(to: text, at: path))
            try edits.after.applied(to: text, at: path).write(below: folder, name.applied(to: path))
        }
        for (path, text) in store.files + (hasFollowers ? ServiceFollowers.files : []) {
            try name.applied(to: text).write(below: folder, path)
        }
        let format = try String(contentsOf: Self.root.appending(path: ".swift-format"), encoding: .utf8)
        try format.write(below: folder, ".swift-format")
        if kit == .vendored { try KitDependency.copyProducts(of: Self.root, to: folder.appending(path: "Kit")) }
    }

    /// The paths of all files, relative to a folder.
    static func files(below folder: URL) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted().filter { path in
            guard !path.split(separator: "/").contains(where: { ignored.contains(String($0)) }) else { return false }
            let values = try folder.appending(path: path).resourceValues(forKeys: [.isRegularFileKey])
            return values.isRegularFile ?? false
        }
    }
}

extension String {
    func write(below folder: URL, _ path: String) throws {
        let file = folder.appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try write(to: file, atomically: true, encoding: .utf8)
    }
}
