"""What schemathesis does not know by itself: how lines of JSON are sent, which texts no body may contain, and which
token and user its own requests need."""
import json
import os

import schemathesis

OWN = json.loads(os.environ["LARDER_OWN"])
"""The answer of /v1/me."""
NOBODY = "00000000-0000-4000-8000-000000000000"


@schemathesis.serializer("application/x-ndjson")
def lines(_, value):
    return value if isinstance(value, bytes) else str(value).encode()


def without_nul(value):
    """The value with U+FFFD in the place of each U+0000 in its texts and names."""
    if isinstance(value, str):
        return value.replace("\0", "\ufffd")
    if isinstance(value, list):
        return [without_nul(item) for item in value]
    if isinstance(value, dict):
        return {without_nul(name): without_nul(item) for name, item in value.items()}
    return value


@schemathesis.hook
def before_call(context, case, kwargs):
    """Sends no U+0000 where a valid body has it. It is refused everywhere, but a schema can say that only of the members
    that it names; unlike filters of generated values, this applies in all phases."""
    if case.meta is not None and case.meta.generation.mode.is_positive:
        case.body = without_nul(case.body)


@schemathesis.hook("before_call")
def keep_own(context, case, kwargs):
    """Revokes a token that does not exist instead of its own, which the list of tokens names, and changes no user of its
    own, because all requests after that would be refused."""
    parameters = case.path_parameters or {}
    if str(parameters.get("token")) == OWN["token"]["id"]:
        parameters["token"] = NOBODY
    if case.method.upper() in ("DELETE", "PATCH", "PUT") and str(parameters.get("id")) == OWN["user"]["id"]:
        parameters["id"] = NOBODY
