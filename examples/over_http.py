"""The beginning of the printed fight, played over HTTP: `python over_http.py http://127.0.0.1:8765`."""

import json
import sys
import time
import urllib.request
from urllib.error import HTTPError, URLError

ADDRESS = sys.argv[1].rstrip("/")
FIGHT = [
    {"do": "join", "combatant": "modre", "name": "Modre", "hp": 6, "body": {"attack": 2}},
    {"do": "join", "combatant": "clone", "name": "Clone", "hp": 6, "body": {"attack": 2}},
    {"do": "initiative", "first": "modre", "reason": "he has a blade"},
    {"do": "begin-turn", "combatant": "modre"},
    {"do": "attack", "attacker": "modre", "target": "clone", "power": 4, "modifier": 2},
    {"do": "defend", "combatant": "clone", "exchange": 6, "points": 6},
    {"do": "resolve", "exchange": 6, "attack_die": 2, "defense_die": 1},
]


def post(path, body, key, seen):
    """Send a request until there is an answer; the idempotency key makes sure that it is only written once."""
    headers = {"Content-Type": "application/json", "Idempotency-Key": key, "If-Match": f'"{seen}"'}
    request = urllib.request.Request(ADDRESS + path, json.dumps(body).encode(), headers)
    while True:
        try:
            with urllib.request.urlopen(request) as answer:
                return json.load(answer)
        except HTTPError as no:
            sys.exit(json.load(no)["detail"])
        except URLError:
            time.sleep(0.2)


answer = post("/encounters", {"encounter": "duel", "open": {"preset": "mam_pools"}}, "duel", 0)
for number, order in enumerate(FIGHT):
    answer = post("/encounters/duel/commands", order, f"duel-{number}", answer["version"])
    print(answer["version"], answer["rulings"][-1]["sentence"])
