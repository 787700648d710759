import Foundation
import Testing

@testable import LarderApp
@testable import LarderHTTP

struct FramingTests {
    /// A name, the bytes, and the statuses of all responses before the connection ends.
    static let cases: [(String, String, [Int])] = [
        ("no Host", "GET /health HTTP/1.1\r\n\r\n", [400]),
        ("two Hosts", "GET /health HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", [400]),
        ("an empty Host", "GET /health HTTP/1.1\r\nHost:\r\n\r\n", [400]),
        ("a malformed Host", "GET /health HTTP/1.1\r\nHost: a b\r\n\r\n", [400]),
        ("a Host with a wrong port", "GET /health HTTP/1.1\r\nHost: a:99999\r\n\r\n", [400]),
        ("HTTP/1.0 without Host", "GET /health HTTP/1.0\r\n\r\n", [400]),
        (
            "both lengths",
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", [400]
        ),
        (
            "two Content-Lengths",
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", [400]
        ),
        (
            "the same Content-Length twice",
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na", [400]
        ),
        ("a signed length", "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\na", [400]),
        ("a length list", "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 1\r\n\r\na", [400]),
        ("a huge length", "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\na", [400]),
        ("another coding", "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n", [400]),
        ("two codings", "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", [400]),
        (
            "chunked in HTTP/1.0", "POST /echo HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            [400]
        ),
        ("a bad chunk", "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", [400]),
        ("a folded field", "GET /health HTTP/1.1\r\nHost: a\r\nX: 1\r\n 2\r\n\r\n", [400]),
        ("a bare line feed", "GET /health HTTP/1.1\nHost: a\n\n", [400]),
        ("a bare line feed after a field", "GET /health HTTP/1.1\r\nHost: a\nX: b\r\n\r\n", [400]),
        ("a bare carriage return", "GET /health HTTP/1.1\r\nHost: a\rX: b\r\n\r\n", [400]),
        ("a blank before the colon", "GET /health HTTP/1.1\r\nHost : a\r\n\r\n", [400]),
        ("a NUL in a field", "GET /health HTTP/1.1\r\nHost: a\r\nX: a\u{0}b\r\n\r\n", [400]),
        ("a control character in a field", "GET /health HTTP/1.1\r\nHost: a\r\nX: a\u{1}b\r\n\r\n", [400]),
        ("a bad field name", "GET /health HTTP/1.1\r\nHost: a\r\nX(: a\r\n\r\n", [400]),
        ("a field without a name", "GET /health HTTP/1.1\r\nHost: a\r\n: a\r\n\r\n", [400]),
        ("another host in the target", "GET http://b/health HTTP/1.1\r\nHost: a\r\n\r\n", [400]),
        ("a target that is no path", "GET health HTTP/1.1\r\nHost: a\r\n\r\n", [400]),
        ("CONNECT", "CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n", [400]),
        ("bad percent-encoding", "GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n", [400]),
        ("percent-encoding cut short", "GET /%a HTTP/1.1\r\nHost: a\r\n\r\n", [400]),
        ("no UTF-8", "GET /%ff HTTP/1.1\r\nHost: a\r\n\r\n", [400]),
        ("no UTF-8 in the query", "GET /health?a=%ff HTTP/1.1\r\nHost: a\r\n\r\n", [400]),
        ("NUL in the path", "GET /%00 HTTP/1.1\r\nHost: a\r\n\r\n", [400]),
        ("a control character in the path", "GET /%0a HTTP/1.1\r\nHost: a\r\n\r\n", [400]),
        ("raw UTF-8 in the path", "GET /ä HTTP/1.1\r\nHost: a\r\n\r\n", [400]),
        ("dot segments", "GET /a/../health HTTP/1.1\r\nHost: a\r\n\r\n", [400]),
        ("encoded dot segments", "GET /a/%2e%2E/health HTTP/1.1\r\nHost: a\r\n\r\n", [400]),
        ("a fragment", "GET /health#a HTTP/1.1\r\nHost: a\r\n\r\n", [400]),
        ("the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", [400]),
        ("HTTP/0.9", "GET /health\r\n\r\n", [400]),
        ("HTTP/3.0", "GET /health HTTP/3.0\r\nHost: a\r\n\r\n", [400]),
        ("a method in lower case", "get /health HTTP/1.1\r\nHost: a\r\n\r\n", [400]),
        ("another protocol", "GET /health RTSP/1.0\r\nHost: a\r\n\r\n", [400]),
        ("another protocol's version of HTTP", "GET /health ICE/1.1\r\nHost: a\r\n\r\n", [400]),
        ("two blanks before the target", "GET  /health HTTP/1.1\r\nHost: a\r\n\r\n", [400]),
        ("two blanks before the version", "GET /health  HTTP/1.1\r\nHost: a\r\n\r\n", [400]),
        ("a blank after the version", "GET /health HTTP/1.1 \r\nHost: a\r\n\r\n", [400]),
        ("a tab before the target", "GET\t/health HTTP/1.1\r\nHost: a\r\n\r\n", [400]),
        (
            "two blanks in a request after a good one with a body",
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nabGET  /health HTTP/1.1\r\nHost: a\r\n\r\n",
            [200, 400]
        ),
        (
            "another protocol after a good request",
            "GET /health HTTP/1.1\r\nHost: a\r\n\r\nGET /health RTSP/1.0\r\nHost: a\r\n\r\n", [200, 400]
        ),
        ("TLS", "\u{16}\u{3}\u{1}\u{0}\u{1}\u{0}\r\n", [400]),
        ("a long address", "GET /\(String(repeating: "a", count: 9000)) HTTP/1.1\r\nHost: a\r\n\r\n", [414]),
        ("a very long address", "GET /\(String(repeating: "a", count: 50_000)) HTTP/1.1\r\nHost: a\r\n\r\n", [414]),
        (
            "a long field",
            "GET /health HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "a", count: 40_000))\r\n\r\n", [431]
        ),
        (
            "many fields",
            "GET /health HTTP/1.1\r\nHost: a\r\n\(String(repeating: "X: 1\r\n", count: 200))\r\n", [431]
        ),
        (
            "a bad request after a good one",
            "GET /health HTTP/1.1\r\nHost: a\r\n\r\nGET /health HTTP/1.1\r\n\r\nGET /health HTTP/1.1\r\nHost: a\r\n\r\n",
            [200, 400]
        ),
    ]

    @Test func `malformed input is refused, and the connection ends`() async throws {
        try await TestServer.run { server in
            await withTaskGroup { group in
                for (name, bytes, statuses) in Self.cases {
                    group.addTask {
                        let outcome = await RawConnection.exchange(server.port, bytes)
                        #expect(outcome.statuses == statuses, "\(name): \(outcome.text)")
                        #expect(outcome.isClosed, "\(name)")
                        #expect(outcome.text.contains("application/problem+json"), "\(name): \(outcome.text)")
                        #expect(outcome.text.contains("X-Content-Type-Options: nosniff"), "\(name): \(outcome.text)")
                        let dates = outcome.text.matches(of: #/Date: \w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT\r\n/#)
                        #expect(dates.count == statuses.count, "\(name): \(outcome.text)")
                    }
                }
            }
        }
    }

    @Test(arguments: [
        ("GET http://a/health HTTP/1.1\r\nHost: a\r\n\r\n", "well"),
        ("GET /health HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n", "well"),
        ("GET /health?a=%C3%A4&b=. HTTP/1.1\r\nhost: a.example:80\r\n\r\n", "well"),
        ("GET /health HTTP/1.0\r\nHost: a\r\n\r\n", "well"),
        ("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", "3 bytes"),
        ("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nX:\r\n\r\nabc", "3 bytes"),
        ("GET /health HTTP/1.1\r\nHost: \t a \t \r\n\r\n", "well"),
        ("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length:  3 \r\n\r\nabc", "3 bytes"),
        (
            "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:  chunked \r\n\r\n3\r\nabc\r\n0\r\n\r\n",
            "3 bytes"
        ),
        ("\r\nGET /health HTTP/1.1\r\nHost: a\r\n\r\n", "well"),
    ])
    func `well-formed requests are answered`(bytes: String, answer: String) async throws {
        try await TestServer.run { server in
            let outcome = await RawConnection.exchange(server.port, [.send(bytes), .closeOutput])
            #expect(outcome.statuses == [200])
            #expect(outcome.text.contains(answer), "\(outcome.text)")
            #expect(outcome.isClosed)
        }
    }

    @Test func `an answer to HEAD is its head alone, and says no length where none is known`() async throws {
        try await TestServer.run { server in
            let requests = ["HEAD /endless", "HEAD /nothing", "GET /health"].map { "\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }
            let outcome = await RawConnection.exchange(server.port, requests.joined())
            #expect(outcome.statuses == [200, 404, 200], "\(outcome.text)")
            let parts = outcome.text.components(separatedBy: "\r\n\r\n")
            #expect(parts.count == 4 && parts.last == "well", "\(outcome.text)")
            #expect(!parts[0].lowercased().contains("content-length"), "\(outcome.text)")
            #expect(parts.dropLast().allSatisfy { $0.hasPrefix("HTTP/1.1 ") }, "\(outcome.text)")
        }
    }

    @Test func `each request of a flood in one piece is found, however the pieces are cut`() async throws {
        let get = "GET /health HTTP/1.1\r\nHost: a\r\n\r\n"
        let post = "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n\r\n\r\n\n"
        let chunked = "POST /upload HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n\r\n\r\n0\r\n\r\n"
        let bytes = Array([get, post, get, chunked, get, post, post].joined().utf8)
        // The connection stays open for a client that is slow for a moment, and then ends because it is idle.
        try await TestServer.run(TestServer.limits { $0.idleTimeout = .seconds(120) }) { server in
            for size in [1, 2, 3, 7, 50, bytes.count] {
                let pieces = stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0...].prefix(size)) }
                let outcome = await RawConnection.exchange(server.port, pieces.map { .send($0) } + [.closeOutput])
                #expect(outcome.statuses == Array(repeating: 200, count: 7), "\(size): \(outcome.text)")
            }
        }
    }

    @Test(arguments: ["", "abc\n\r\n\r\n\n"])
    func `a request after a body in chunks is found wherever a read ends`(body: String) async throws {
        let (next, count) = ("GET /health HTTP/1.1\r\nHost: a\r\n\r\n", body.utf8.count)
        let chunk = count == 0 ? "" : "\(count)\r\n\(body)\r\n"
        let chunked = "POST /upload HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(chunk)0\r\n\r\n"
        try await TestServer.run(TestServer.limits { $0.idleTimeout = .seconds(60) }) { server in
            for cut in [0, 1, 4, 20, next.count - 1] {
                let outcome = await RawConnection.exchange(
                    server.port,
                    [
                        .send(chunked + next.prefix(cut)), .receive("\(count) bytes"),
                        .send(String(next.dropFirst(cut))), .closeOutput,
                    ])
                #expect(outcome.statuses == [200, 200], "\(cut): \(outcome.text)")
            }
        }
    }

    @Test func `a client of HTTP 1.0 gets no interim response`() async throws {
        try await TestServer.run { server in
            let head = "HTTP/1.0\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n"
            let read = await RawConnection.exchange(server.port, [.send("POST /echo \(head)abc")])
            #expect(read.statuses == [200] && !read.isContinued && read.text.contains("3 bytes"), "\(read.text)")
        }
    }

    @Test func `a client that waits to send its body gets 100 Continue when it is read, or a refusal`() async throws {
        try await TestServer.run { server in
            let head = "HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n"
            let read = await RawConnection.exchange(
                server.port, [.send("POST /echo \(head)"), .receive("HTTP/1.1 100"), .send("abc")])
            #expect(read.isContinued && read.statuses == [200] && read.text.contains("3 bytes"), "\(read.text)")
            // The route responds late and without reading the body, so the server never asks for it.
            let unread = await RawConnection.exchange(
                server.port,
                [
                    .send("POST /held \(head)"), .pause(seconds: 0.2), .note(server.routes.release),
                ])
            #expect(unread.statuses == [200] && !unread.isContinued, "\(unread.text)")
        }
    }
}
