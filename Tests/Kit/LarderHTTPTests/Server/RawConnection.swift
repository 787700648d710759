import Foundation

/// A client that sends any bytes, and reads until the server closes. Its own time is generous: what a server does in
/// time is seen by what it says, not by how soon.
struct RawConnection {
    /// What a client does, one after the other, before it reads to the end.
    enum Step: Sendable {
        case send([UInt8])
        /// Reads for a while.
        case pause(seconds: Double)
        /// Reads until this came.
        case receive(String)
        /// Does not read until this is so.
        case hold(until: Flag)
        case note(Flag)
        case closeOutput
        /// Goes away at once, without a farewell.
        case reset

        static func send(_ text: String) -> Step { .send(Array(text.utf8)) }
    }

    /// What came back.
    struct Outcome: Sendable {
        var text = ""
        var isClosed = false
        var seconds = 0.0

        /// The statuses of all answers.
        var statuses: [Int] {
            text.components(separatedBy: "HTTP/1.").dropFirst().compactMap {
                $0.split(separator: " ").dropFirst().first.flatMap { Int($0) }
            }
        }
    }

    /// How long a client goes on at most.
    static let patience = 120.0

    /// Goes through the steps on a thread of its own.
    static func exchange(_ port: Int, _ steps: [Step]) async -> Outcome {
        await withCheckedContinuation { continuation in
            let thread = Thread {
                var client = RawClient(upTo: patience)
                continuation.resume(returning: client.run(port, steps))
            }
            thread.start()
        }
    }

    /// Sends pieces with pauses between them.
    static func exchange(_ port: Int, _ pieces: String..., pause: Double = 0) async -> Outcome {
        await exchange(port, dripping(pieces.map { Array($0.utf8) }, pause: pause))
    }

    /// The steps that send pieces with pauses between them.
    static func dripping(_ pieces: [[UInt8]], pause: Double) -> [Step] {
        pieces.flatMap { pause > 0 ? [.send($0), .pause(seconds: pause)] : [.send($0)] }
    }
}
