@testable import LarderInfrastructureTests

extension Workload {
    /// A random workload.
    static func random(seed: UInt64) -> Workload {
        var random = SplitMix(seed: seed)
        // Few ids and letters, so that change sets affect the same objects.
        func edit() -> ProofEdit {
            let id = Int.random(in: 1...5, using: &random)
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<14: return .put(id, "abcdefgh".randomElement(using: &random) ?? "a", length())
            case 14..<19: return .drop(id)
            default: return .stale(id)
            }
        }
        func length() -> Int {
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<6: Int.random(in: 1...9, using: &random)
            case 6..<11: Int.random(in: 10...120, using: &random)
            default: Int.random(in: 121...1_600, using: &random)
            }
        }
        func step() -> ProofStep {
            switch Int.random(in: 0..<24, using: &random) {
            case 0..<14:
                .commit(
                    (0..<Int.random(in: 1...3, using: &random)).map { _ in
                        (0..<Int.random(in: 1...2, using: &random)).map { _ in edit() }
                    })
            case 14..<16: .compact
            case 16..<18: .reopen
            case 18..<20: .kill
            case 20: .grow
            case 21: .room(Int.random(in: 0...300, using: &random))
            case 22: .room(nil)
            default: .auto
            }
        }
        return Workload((0..<Int.random(in: 2...7, using: &random)).map { _ in step() })
    }
}
