import Foundation
import LarderDomain
import Testing

struct OwnerPolicyTests {
    private struct Loan: Entity {
        let id: EntityID<Loan>
        let reader: String
    }

    private static let (ann, bob) = (RawID(high: 0, low: 1), RawID(high: 0, low: 2))

    private func loan(_ reader: String) -> Loan { Loan(id: EntityID(UUIDv7Generator().next()), reader: reader) }

    private func isVisible(_ loan: Loan, _ policy: OwnerPolicy<Loan>) throws -> Bool {
        try policy.visible.allSatisfy { try $0.evaluate(loan) }
    }

    @Test func `an owner may do everything with own entities, and nothing with others`() throws {
        let policy = OwnerPolicy<Loan>(Self.ann, own: #Predicate { $0.reader == "ann" }) { $0.reader == "ann" }
        let (own, foreign) = (loan("ann"), loan("bob"))
        #expect(try isVisible(own, policy) && policy.mayRead(own) && policy.mayCreate(own) && policy.mayDelete(own))
        #expect(try !isVisible(foreign, policy))
        #expect(!policy.mayRead(foreign) && !policy.mayCreate(foreign) && !policy.mayDelete(foreign))
        #expect(policy.mayUpdate(own, to: own) && !policy.mayUpdate(own, to: foreign))
        #expect(!policy.mayUpdate(foreign, to: own))
    }

    @Test func `changes are followed by their owner, and by operators`() {
        func change(of owner: RawID?) -> CommittedChange {
            CommittedChange(EntityReference(loan("ann").id), kind: .deleted, version: 1, owner: owner)
        }
        let policy = OwnerPolicy<Loan>(Self.ann, own: #Predicate { $0.reader == "ann" }) { $0.reader == "ann" }
        #expect(policy.mayFollow(change(of: Self.ann)) && policy.mayFollowRemovals)
        #expect(!policy.mayFollow(change(of: Self.bob)) && !policy.mayFollow(change(of: nil)))
        let nobody = OwnerPolicy<Loan>(nil, own: nil) { _ in false }
        #expect(!nobody.mayFollow(change(of: nil)) && !nobody.mayFollowRemovals)
        #expect(OwnerPolicy<Loan>().mayFollow(change(of: nil)) && OwnerPolicy<Loan>().mayFollowRemovals)
    }

    @Test func `only a caller who owns none is refused before an entity is known`() {
        let owner = OwnerPolicy<Loan>(Self.ann, own: #Predicate { $0.reader == "ann" }) { $0.reader == "ann" }
        #expect(owner.mayCreateSome && owner.mayUpdateSome)
        #expect(OwnerPolicy<Loan>().mayCreateSome && OwnerPolicy<Loan>().mayUpdateSome)
        let nobody = OwnerPolicy<Loan>(nil, own: nil) { _ in false }
        #expect(!nobody.mayCreateSome && !nobody.mayUpdateSome)
    }

    @Test func `a caller who owns nothing sees nothing, and an operator everything`() throws {
        #expect(try !isVisible(loan("ann"), OwnerPolicy(nil, own: nil) { _ in false }))
        let (operators, some) = (OwnerPolicy<Loan>(), loan("ann"))
        #expect(try isVisible(some, operators) && operators.mayUpdate(some, to: loan("bob")))
    }
}
