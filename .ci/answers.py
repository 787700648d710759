"""Judges responses by the models that were generated from the description."""
import re

from generators import METHODS
from stores import Failure


class Answers:
    """Finds the operation of each response, its schema, and the model of that."""

    def __init__(self, description):
        self.description, self.used, self.count = description, set(), 0
        self.operations, self.patterns = [], []
        for path, item in description["paths"].items():
            for method in METHODS:
                if method not in item:
                    continue
                self.operations.append(item[method])
                pattern = re.sub(r"\{\w+\}", "[^/]+", path)
                self.patterns.append((path.count("{"), method.upper(), re.compile(pattern), item[method]))
        self.patterns.sort(key=lambda pattern: pattern[0])

    def judge(self, response):
        """A hook of httpx, called with each response."""
        import models
        response.read()
        request = response.request
        operation = next(operation for _, method, pattern, operation in self.patterns
                         if method == request.method and pattern.fullmatch(request.url.path))
        self.used.add(operation["operationId"])
        where = f"{operation['operationId']} {response.status_code}"
        described = operation["responses"].get(str(response.status_code)) or operation["responses"]["default"]
        content = self.resolved(described).get("content", {})
        kind = response.headers.get("content-type", "").split(";")[0]
        if not response.content:
            return
        if kind not in content:
            raise Failure(f"typed: {where} has the media type {kind}, which is not described")
        if kind != "application/json" and not kind.endswith("+json"):
            return
        name = content[kind]["schema"]["$ref"].split("/")[-1]
        try:
            getattr(models, name).model_validate_json(response.content)
        except ValueError as error:
            raise Failure(f"typed: {where} is no {name}: {error}") from error
        self.count += 1

    def resolved(self, value):
        while "$ref" in value:
            target = self.description
            for part in value["$ref"].split("/")[1:]:
                target = target[part]
            value = target
        return value
