extension Rule {
    /// The folder of each target is the folder of a layer, so that no target spans two.
    public static func everyTargetIsALayer(_ layers: [Layer]) -> Rule {
        forEachTarget("every target is the target of a layer") { target in
            layers.contains { $0.folder == target.folder } ? [] : ["\(target.folder) is not the folder of a layer"]
        }
    }

    /// Each dependency of a target is permitted by its layer, whether or not a source imports it.
    public static func everyDependencyIsAllowed(_ layers: [Layer]) -> Rule {
        forEachTarget(
            "every target depends on what is on the list of its layer", where: { !$0.dependencies.isEmpty }
        ) { target in
            guard let layer = layers.innermost(of: target.folder) else { return ["is in no layer"] }
            return target.dependencies.filter { !layer.imports.permits($0.name) }
                .map { "\(layer.folder) may not depend on \($0.name)" }
        }
    }

    /// No target outside some folders depends on a product of another package.
    public static func packagesOnly(in folders: [String]) -> Rule {
        forEachTarget(
            "only \(folders.joined(separator: ", ")) depend on other packages",
            where: { target in !folders.contains { target.folder == $0 || target.folder.hasPrefix($0 + "/") } }
        ) { target in
            target.dependencies.filter(\.isProduct).map { "depends on \($0.name) of another package" }
        }
    }

    /// Each target with Swift sources has some settings, in the format of `PackageDescription.Setting.text`.
    public static func everyTargetHas(settings: [String]) -> Rule {
        forEachTarget(
            "every target has the settings \(settings.joined(separator: ", "))",
            where: { !["system", "plugin"].contains($0.type) }
        ) { target in
            Set(settings).subtracting(target.settings.map(\.text)).sorted().map { "lacks \($0)" }
        }
    }
}
