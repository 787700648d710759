internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import NIOHTTP1

/// Enforces the server's limits on one HTTP/1.1 connection or HTTP/2 stream, between the parser and the other handlers:
/// heads are valid, requests are handled one by one and answered in time, and the last response reaches the client.
///
/// All methods run on the connection's event loop.
final class ConnectionGuard: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    let limits: ServerLimits
    /// Whether the connection is within the limit on connections. Another one has one request, of a kind that may use
    /// the reserve.
    private let isServed: Bool
    /// Whether this is an HTTP/2 stream, which has one request.
    private let isStream: Bool
    private let onRefusal: @Sendable (Problem) -> Void

    var context: ChannelHandlerContext?
    private var timer: Scheduled<Void>?
    var input: InputClock
    var output = OutputState()
    /// Parts of requests that arrived before the previous request was answered.
    private var held = CircularBuffer<HTTPServerRequestPart>()
    private var isEndDelayed = false
    private var isReadDelayed = false
    /// Whether the service waits for input: it has requested a read that is not complete.
    private var isReading = false
    private var isDraining = false
    /// The number of received bytes of the request line.
    private var firstLine = 0
    /// The number of remaining bytes of the body; `nil` without a declared length.
    private(set) var bodyLeft: Int?
    /// The problem for a request that cannot be parsed, sent after the responses to earlier requests.
    private var refusal: Problem?
    /// The reason why the current body cannot be completed.
    private var failure: (any Error)?

    init(_ limits: ServerLimits, isServed: Bool, isStream: Bool, onRefusal: @escaping @Sendable (Problem) -> Void) {
        self.limits = limits
        (self.isServed, self.isStream, self.onRefusal) = (isServed, isStream, onRefusal)
        input = InputClock(limits, now: .now())
    }

    /// Whether input is still parsed.
    var isListening: Bool { refusal == nil && failure == nil && output.linger == nil }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        // After TLS negotiation, the channel is already active.
        if context.channel.isActive { start() }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        self.context = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        start()
        context.fireChannelActive()
    }

    private func start() {
        guard timer == nil else { return }
        input = InputClock(limits, now: .now())
        startTimer()
    }

    private func startTimer() {
        timer = context?.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limits.tick)) {
            self.tick()
            self.startTimer()
        }
    }
}

// MARK: - Input

extension ConnectionGuard {
    func bytesArrived(firstLine length: Int) {
        firstLine = length
        input.bytesArrived(now: .now())
    }

    func refuseFirstLine() {
        refuse(.badRequest("The request line must be: METHOD target HTTP/1.1, with single spaces."))
    }

    func discarded(bytes: Int) {
        guard output.discard(bytes) else { return }
        context?.close(promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var part = Self.unwrapInboundIn(data)
        guard isListening else {
            if isStream, case .body(let buffer) = part { discarded(bytes: buffer.readableBytes) }
            return
        }
        switch part {
        case .head(let head):
            do throws(Problem) {
                part = .head(try HeadCheck(limits: limits).checked(head))
            } catch {
                return refuse(error)
            }
            guard case .head(let head) = part else { return }
            guard isServed || head.mayUseReserve else { return refuse(.tooManyConnections) }
            bodyLeft = head.headers.first(name: "content-length").flatMap(Int.init)
            input.headArrived(length: bodyLeft, now: .now())
        case .body(let buffer):
            bodyLeft = bodyLeft.map { $0 - buffer.readableBytes }
            input.bodyArrived(bytes: buffer.readableBytes)
        case .end: input.requestArrived(now: .now())
        }
        guard held.isEmpty, !output.isAnswering || !isHead(part) else { return held.append(part) }
        deliver(part)
    }

    private func isHead(_ part: HTTPServerRequestPart) -> Bool { if case .head = part { true } else { false } }

    private func deliver(_ part: HTTPServerRequestPart) {
        switch part {
        case .head(let head): output.begin(head)
        case .body: break
        case .end: output.requestEnded(answerBy: .now() + TimeAmount(limits.answerTimeout))
        }
        context?.fireChannelRead(Self.wrapInboundOut(part))
    }

    func read(context: ChannelHandlerContext) {
        isReading = true
        isReadDelayed = !held.isEmpty
        if !isReadDelayed { context.read() }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        context.fireChannelReadComplete()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent: drain()
        case ChannelEvent.inputClosed where !held.isEmpty: isEndDelayed = true
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case HTTPParserError.invalidEOFState where input.isInBody: fail(ClientGone())
        case is HTTPParserError where input.isInBody:
            fail(Problem.badRequest("The framing of the body is invalid in HTTP/1.1."))
        case let error as HTTPParserError: refuse(Problem(error, firstLine: firstLine, limits: limits))
        // An error of the transport: the system, TLS, or HTTP/2.
        case _ where input.isInBody && isListening: fail(ClientGone())
        default: context.fireErrorCaught(error)
        }
    }
}

// MARK: - Output

extension ConnectionGuard {
    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard output.linger == nil else {
            promise?.fail(ChannelError.outputClosed)
            return
        }
        switch Self.unwrapOutboundIn(data) {
        case .head(var head) where head.status.code >= 200:
            output.answer(&head, isLast: endsConnection)
            if isStream { head.headers.remove(name: "connection") }
            context.write(Self.wrapOutboundOut(.head(head)), promise: promise)
        case .end:
            context.write(output.isForHead && !isStream ? nothing : data, promise: promise)
            if output.end(isLast: endsConnection) { linger() } else { answerEnded() }
        case .body where output.isForHead: context.write(nothing, promise: promise)
        case .head, .body: context.write(data, promise: promise)
        }
    }

    /// Whether this response is the last one: an unread body is not drained, except that of a held request.
    private var endsConnection: Bool { isDraining || !isServed || held.isEmpty && (input.isInBody || failure != nil) }

    /// Replaces each part of a body, the last chunk included: the encoder does not know that the request is a `HEAD`.
    private var nothing: NIOAny { Self.wrapOutboundOut(.body(.byteBuffer(ByteBuffer()))) }

    /// Sends 100 (continue) when the service starts to read the body. A refusal before that replaces it.
    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard event is BodyWanted else { return context.triggerUserOutboundEvent(event, promise: promise) }
        promise?.succeed()
        guard output.awaits(output.serial), input.isInBody else { return }
        let head = HTTPResponseHead(version: .http1_1, status: .continue)
        context.writeAndFlush(Self.wrapOutboundOut(.head(head)), promise: nil)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        output.stallsBy = context.channel.isWritable ? nil : .now() + TimeAmount(limits.stallTimeout)
        context.fireChannelWritabilityChanged()
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        // After the end of the output, the client might never close its side.
        if mode == .output {
            output.linger(until: .now() + TimeAmount(limits.lingerTimeout), bytes: limits.lingerBytes)
        }
        context.close(mode: mode, promise: promise)
    }

    private func answerEnded() {
        if input.isWaiting { input.requestArrived(now: .now()) }
        while !output.isAnswering || !held.isEmpty && !isHead(held[held.startIndex]), let part = held.popFirst() {
            deliver(part)
        }
        context?.fireChannelReadComplete()
        guard held.isEmpty else { return }
        if let failure { return deliver(failure) }
        if let refusal, !output.isAnswering { return write(refusal) }
        if isEndDelayed { context?.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
        isEndDelayed = false
        if isReadDelayed { context?.read() }
        isReadDelayed = false
    }

    /// Closes the connection so that the client gets the output: later input is discarded for a while. Closing with
    /// unread bytes would make the system reset the connection.
    private func linger() {
        guard let context, output.linger == nil else { return }
        held.removeAll()
        output.linger(until: .now() + TimeAmount(limits.lingerTimeout), bytes: limits.lingerBytes)
        context.flush()
        // A stream cannot be half-closed: its last part has ended the output.
        if !isStream { context.close(mode: .output, promise: nil) }
        context.read()
    }
}

// MARK: - Refusals

extension ConnectionGuard {
    private func refuse(_ problem: Problem) {
        guard isListening else { return }
        refusal = problem
        onRefusal(problem)
        if !output.isAnswering, held.isEmpty { write(problem) }
    }

    private func write(_ problem: Problem) {
        guard let context else { return }
        var (head, body) = problem.lastAnswer
        if isStream { head.headers.remove(name: "connection") }
        context.write(Self.wrapOutboundOut(.head(head)), promise: nil)
        context.write(Self.wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        context.write(Self.wrapOutboundOut(.end(nil)), promise: nil)
        linger()
    }

    /// Ends the current body with an error, which its reader turns into a response.
    private func fail(_ error: any Error) {
        guard isListening else { return }
        failure = error
        if held.isEmpty { deliver(error) }
    }

    private func deliver(_ failure: any Error) {
        output.requestEnded(answerBy: .now() + TimeAmount(limits.answerTimeout))
        context?.fireErrorCaught(failure)
    }

    private func drain() {
        isDraining = true
        guard let context, !output.isAnswering, input.isWaiting, output.linger == nil else { return }
        input.wait(until: .now() + TimeAmount(limits.drainIdle))
        context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limits.drainIdle)) { self.tick() }
    }

    private func tick() {
        guard let context else { return }
        let now = NIODeadline.now()
        if output.isLate(now) { return context.close(promise: nil) }
        guard isListening else { return }
        // While the service does not read or has not responded, the client is not late.
        let awaitsClient = held.isEmpty && output.isAnswering == input.isInBody && (isReading || !input.isInBody)
        guard awaitsClient else { return input.restart(now: now) }
        switch input.lateness(now: now) {
        case nil: return
        case .nextRequest: context.close(promise: nil)
        case .head: refuse(Problem(.requestTimeout, "The request head did not arrive in time."))
        case .body: fail(Problem(.requestTimeout, "The body did not arrive in time.", closesConnection: true))
        }
    }
}
