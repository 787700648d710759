import LarderApp
import LarderHTTP

extension BadInput {
    /// Bodies that are too large, or do not match their headers.
    static let bodies: [BadInput] = [
        BadInput(
            "JSON of more than 256 KiB", "POST /v1/tags as bob", body: "(262145 bytes)", is: .contentTooLarge,
            says: "262144"),
        BadInput(
            "a patch of more than 256 KiB", "PATCH /v1/tags/<tag> as ada", "If-Match: *", body: "(262145 bytes)",
            is: .contentTooLarge, says: "262144"),
        photo("a photo of more than 5 MiB", "image/png", "(5242881 bytes)", is: .contentTooLarge, says: "5242880"),
        photo("an SVG photo", "image/svg+xml", "<svg/>", is: .unsupportedMediaType, says: "image/jpeg"),
        photo(
            "a photo of no kind", "application/octet-stream", "(bytes 89 50 4e 47)", is: .unsupportedMediaType,
            says: "image/png"),
        photo(
            "a GIF that is said to be PNG", "image/png", "(bytes 47 49 46 38 39 61)", is: .invalidFields,
            says: "first bytes"),
        photo(
            "half of a PNG's first bytes", "image/png", "(bytes 89 50 4e 47)", is: .invalidFields, says: "first bytes"),
        photo("a photo of nothing", "image/jpeg", "", is: .invalidFields, says: "first bytes"),
        photo(
            "a page that is said to be a photo", "image/gif", "<!doctype html>", is: .invalidFields, says: "first bytes"
        ),
        BadInput(
            "a first photo with If-Match", "PUT /v1/recipes/<recipe>/photo as bob", "Content-Type: image/gif",
            "If-Match: *", body: "(bytes 47 49 46 38 39 61)", is: .preconditionFailed, says: "has changed"),
        BadInput(
            "a first photo without a condition", "PUT /v1/recipes/<recipe>/photo as bob", "Content-Type: image/gif",
            body: "(bytes 47 49 46 38 39 61)", is: .preconditionRequired, says: "If-None-Match"),
    ]

    private static func photo(
        _ name: String, _ type: String, _ body: String, is kind: Problem.Kind, says: String
    ) -> BadInput {
        BadInput(
            name, "PUT /v1/recipes/<recipe>/photo as bob", "Content-Type: \(type)", "If-None-Match: *", body: body,
            is: kind, says: says)
    }
}
