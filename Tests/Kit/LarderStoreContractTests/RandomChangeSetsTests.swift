import LarderData
import LarderDomain
import Testing

@testable import LarderStoreContract

struct RandomChangeSetsTests {
    /// The contents of random tapes, which limit the faults that a tape can detect.
    @Test func `random change sets are stored and refused, for every kind of fault`() {
        var (stored, kinds): (Int, [String: Int]) = (0, [:])
        var (state, changeSets) = (ReferenceState(schemas: Press.roots), RandomChangeSets(seed: 1))
        for _ in 0..<1000 {
            let changes = changeSets.next(for: state)
            guard let fault = state.faults(of: changes).first else {
                stored += 1
                state = state.state(after: changes)
                continue
            }
            switch fault {
            case .duplicate(let duplicate):
                let schema = Press.roots.contains { $0.name == duplicate.entity } ? "root" : "owned"
                kinds["duplicate \(duplicate.columns) \(duplicate.columns == ["id"] ? schema : "")", default: 0] += 1
            case .dangling(let dangling): kinds["dangling \(dangling.entity)", default: 0] += 1
            case .conflict: kinds["conflict", default: 0] += 1
            default: kinds["\(fault)", default: 0] += 1
            }
        }
        print(stored, kinds)
        #expect((400...800).contains(stored))
        #expect(kinds.count >= 12)
    }
}
