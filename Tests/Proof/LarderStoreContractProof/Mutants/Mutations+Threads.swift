import LarderData
import LarderStoreContract
@testable import LarderStoreContractTests

extension Mutation {
    static let threads: [Mutation] = [
        Mutation(.concurrency, "scans where the caller runs") {
            $0.measurements = { measured in
                var (measured, places) = (measured, WorkPlaces())
                places.note(.scan, isOnOwnThread: false)
                measured.longWork = places
                return measured
            }
        }
    ]
}
