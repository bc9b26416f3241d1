"""Validates documents by JSON Schemas with the package `jsonschema`.

Reads lines such as {"schema": "FILE", "document": …} from standard input, and writes a line for each: true or false.
"""

import json
import sys

from jsonschema import Draft202012Validator

validators = {}
for line in sys.stdin:
    case = json.loads(line)
    name = case["schema"]
    if name not in validators:
        with open(name, encoding="utf-8") as file:
            schema = json.load(file)
        Draft202012Validator.check_schema(schema)
        validators[name] = Draft202012Validator(schema)
    print("true" if validators[name].is_valid(case["document"]) else "false")
