public import LarderApp
internal import NIOCore

#if canImport(Glibc)
private import Glibc
#elseif canImport(Musl)
private import Musl
#else
private import Darwin
#endif

extension CommandFailure {
    /// The reason why a server cannot listen on its address; `nil` for other errors.
    public init?(_ error: any Error, listeningAs settings: ServerSettings) {
        let address = settings.address(port: settings.port)
        let advice =
            "Set another with --http-host and --http-port, or \(Setting.httpHost.variable) and \(Setting.httpPort.variable)."
        switch error {
        case let error as IOError where error.errnoCode == EADDRINUSE:
            self.init(
                .busy, "cannot listen on \(address): another program uses port \(settings.port)",
                advice: "Set another port with --http-port or \(Setting.httpPort.variable); 0 selects a free one.")
        case let error as IOError where error.errnoCode == EACCES || error.errnoCode == EPERM:
            self.init(
                .forbidden, "cannot listen on \(address): no permission for port \(settings.port)", advice: advice)
        case let error as IOError where error.errnoCode == EADDRNOTAVAIL:
            self.init(
                .configuration, "cannot listen on \(address): '\(settings.host)' is not an address of this machine",
                advice: advice)
        case is SocketAddressError.UnknownHost:
            self.init(
                .configuration, "cannot listen on \(address): unknown name '\(settings.host)'", advice: advice)
        default: return nil
        }
    }
}
