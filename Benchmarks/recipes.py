"""Recipes for loads and counts."""
import json
import pathlib


def recipes(count, source):
    """The given number of recipes: those of a file repeatedly, with distinct identifiers."""
    known = [json.loads(line) for line in pathlib.Path(source).read_text().splitlines() if line]
    for number in range(count):
        recipe = dict(known[number % len(known)])
        recipe["identifier"] = f"load-{number}"
        recipe["name"] = f"{recipe['name']} {number // len(known) + 1}"
        yield json.dumps(recipe)
