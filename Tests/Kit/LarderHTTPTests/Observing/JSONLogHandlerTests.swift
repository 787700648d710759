import LarderDomain
import LarderHTTP
import Logging
import Testing

@testable import LarderApp

@Suite("JSON log")
struct JSONLogHandlerTests {
    @Test func `a line has its own members first, then the metadata sorted and flat`() {
        let recorder = LogRecorder()
        var logger = recorder.logger()
        logger[metadataKey: "z"] = "last"
        logger.warning(
            "hello",
            metadata: [
                "level": "mine", "n": .stringConvertible(7), "ok": .stringConvertible(true),
                "ratio": .stringConvertible(0.5), "none": .stringConvertible(Double.nan),
                "outer": ["b": "2", "a": ["deep": "1"]], "list": ["x", .stringConvertible(1)],
            ])
        #expect(
            recorder.text == [
                #"{"timestamp":"2023-11-14T22:13:20.000250Z","level":"warning","logger":"test","message":"hello","#
                    + #""list":["x",1],"metadata.level":"mine","n":7,"none":"nan","ok":true,"outer.a.deep":"1","#
                    + #""outer.b":"2","ratio":0.5,"z":"last"}"# + "\n"
            ])
    }

    @Test func `no line has a name twice`() {
        let recorder = LogRecorder()
        recorder.logger().info(
            "m",
            metadata: ["level": "a", "metadata.level": "b", "metadata": ["level": "c"], "x.y": "d", "x": ["y": "e"]])
        #expect(
            recorder.text == [
                #"{"timestamp":"2023-11-14T22:13:20.000250Z","level":"info","logger":"test","message":"m","#
                    + #""metadata.level":"a","x.y":"d"}"# + "\n"
            ])
    }

    @Test func `nothing in a message or in metadata can begin another line or act on a terminal`() {
        let recorder = LogRecorder()
        recorder.logger().info("a\nb\r\t\"\\\u{0}\u{1B}[31m\u{7F}\u{85}\u{2028}é🥐", metadata: ["k\n": "v\u{2029}"])
        #expect(
            recorder.text == [
                #"{"timestamp":"2023-11-14T22:13:20.000250Z","level":"info","logger":"test","#
                    + #""message":"a\nb\r\t\"\\\u0000\u001b[31m\u007f\u0085\u2028é🥐","k\n":"v\u2029"}"# + "\n"
            ])
    }

    @Test func `entries below the level are dropped, and metadata of the entry wins`() throws {
        let recorder = LogRecorder()
        var logger = recorder.logger(.warning)
        logger[metadataKey: "route"] = "outer"
        logger.info("quiet")
        logger.error("loud", metadata: ["route": "inner"])
        let lines = try recorder.objects()
        #expect(lines.map(\.message) == ["loud"])
        #expect(lines.first?.route == "inner")
    }

    @Test func `instants before 1970 are shown too`() {
        #expect(Timestamp(microseconds: -1).fixedWidthDescription == "1969-12-31T23:59:59.999999Z")
        #expect(Timestamp(microseconds: 0).fixedWidthDescription == "1970-01-01T00:00:00.000000Z")
    }
}
