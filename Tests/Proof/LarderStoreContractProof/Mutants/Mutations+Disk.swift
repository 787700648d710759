import LarderData
import LarderDomain
import LarderStoreContract
@testable import LarderStoreContractTests

extension Mutation {
    /// Data that reaches the disk too late or is read back differently.
    static let disk: [Mutation] = [
        disk("writes when it is closed") { ($0.writesAtOnce, $0.writesOnClose) = ({ _ in false }, true) },
        disk("writes small change sets at once, and large ones when it is closed") {
            ($0.writesAtOnce, $0.writesOnClose) = ({ $0.inserts.count < 300 && $0.deletes.count < 300 }, true)
        },
        disk("writes change sets of more than 500 deletions when it is closed") {
            ($0.writesAtOnce, $0.writesOnClose) = ({ $0.deletes.count <= 500 }, true)
        },
        disk("writes deletions when it is closed") {
            ($0.writesAtOnce, $0.writesOnClose) = ({ !$0.inserts.isEmpty || !$0.updates.isEmpty }, true)
        },
        disk("writes updates that change no column when it is closed") {
            $0.writesAtOnce = { changes in
                changes.updates.isEmpty || changes.updates.contains { !$0.changes.columns.isEmpty }
            }
            $0.writesOnClose = true
        },
        disk("writes every other commit together with the next") { mutation in
            let count = Kept(0)
            (mutation.writesAtOnce, mutation.writesOnClose) = ({ _ in count.change { $0 + 1 }.isMultiple(of: 2) }, true)
        },
        disk("loses each 32nd commit of an opening") {
            ($0.writesNumber, $0.catchesUp) = ({ !$0.isMultiple(of: 32) }, false)
        },
        disk("writes each 256th commit of an opening together with the next") {
            ($0.writesNumber, $0.writesOnClose) = ({ !$0.isMultiple(of: 256) }, true)
        },
        disk("writes more than 64 KiB together with the next commit") {
            ($0.writesAtOnce, $0.writesOnClose) = ({ $0.inserts.allSatisfy { $0.textLength <= 65_536 } }, true)
        },
        disk("keeps versions in one byte") { $0.load = { $0.version($0.version & 255) } },
        disk("takes commits of an earlier opening for absent") { $0.outcome = { $0 == .unknown ? .absent : $0 } },
        disk("writes refused commits") { ($0.writesRefused, $0.catchesUp) = (true, false) },
        disk("counts versions anew when it is opened") { $0.load = { $0.version(min($0.version, 1)) } },
        disk("puts owned objects in the order of their ids when it is opened") {
            $0.load = { $0.mapChildren { $0.sorted { $0.id < $1.id } } }
        },
        disk("gives each link once when it is opened") {
            $0.load = { object in
                var object = object
                object.links = object.links.map { list in
                    list.indices.filter { list.firstIndex(of: list[$0]) == $0 }.map { list[$0] }
                }
                return object
            }
        },
        disk("forgets the links of owned objects when it is opened") {
            $0.load = { object in
                object.mapChildren {
                    $0.map { child in
                        var child = child
                        child.links = child.links.map { _ in [] }
                        return child
                    }
                }
            }
        },
        disk("cuts zeros off bytes when it is opened") {
            $0.load = { object in
                object.mapAll { value in
                    guard case .blob(let bytes) = value, bytes.last == 0 else { return value }
                    return .blob(Array(bytes.dropLast()))
                }
            }
        },
        disk("takes blanks off texts when it is opened") {
            $0.load = { object in
                object.mapAll { value in
                    guard case .text(let text) = value, text.hasSuffix(" ") else { return value }
                    return .text(String(text.dropLast()))
                }
            }
        },
        Mutation(.changeTracking, "forgets the columns that it was not opened with") { $0.disk = DiskMutation() },
        disk("reads whole numbers for reals within 53 bits when it is opened") {
            $0.load = { object in
                object.mapAll {
                    if case .integer(let integer) = $0 { .integer(Int64(Double(integer) / 2) * 2) } else { $0 }
                }
            }
        },
    ]

    private static func disk(_ name: String, _ change: @escaping @Sendable (inout DiskMutation) -> Void) -> Mutation {
        Mutation([.storeLife, .commits], name) { mutation in
            var disk = DiskMutation()
            change(&disk)
            mutation.disk = disk
        }
    }
}

extension StorageObject {
    /// The total UTF-8 length of the root's own texts.
    fileprivate var textLength: Int {
        values.reduce(0) { if case .text(let text) = $1 { $0 + text.utf8.count } else { $0 } }
    }

    fileprivate func version(_ version: Int64) -> StorageObject {
        var object = self
        object.version = version
        return object
    }

    /// The object with its lists of owned objects changed, at any depth.
    func mapChildren(_ transform: ([StorageObject]) -> [StorageObject]) -> StorageObject {
        var object = self
        object.children = children.map { transform($0.map { $0.mapChildren(transform) }) }
        return object
    }

    /// The object with its values changed, at any depth.
    func mapAll(_ transform: (Value) -> Value) -> StorageObject {
        var object = self
        object.values = values.map(transform)
        object.children = children.map { $0.map { $0.mapAll(transform) } }
        return object
    }
}
