"""Parses one JSON string a line with Cloudflare's engine; prints the error of each as JSON, or null."""

import json
import sys

from octorules_wirefilter import parse_expression


def error_of(expression):
    """Of the two schemes, HTTP and packets, the one that has the fields."""
    error = parse_expression(expression).get("error")
    if error is None or "unknown identifier" not in error:
        return error
    other = parse_expression(expression, "magic_firewall").get("error")
    return error if other is not None and "unknown identifier" in other else other


for line in sys.stdin:
    print(json.dumps(error_of(json.loads(line))))
