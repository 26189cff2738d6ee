"""Access tokens of a service: who may do what. Only a hash of each is stored, beside the log."""

from __future__ import annotations

import hashlib
import hmac
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterable, Mapping
from typing import Literal

import msgspec
from msgspec import Struct

from mam_events.errors import BadInput, StoreUnusable
from mam_events.sanitize import NAME_LENGTH, check_text
from mam_events.state import Combatant
from mam_events.store.codec import UNREADABLE
from mam_events.visibility import can_see

TokenRole = Literal["gm", "player", "viewer"]
ID_BYTES = 6
TOKEN_SECRET_BYTES = 24


class Token(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An access token for a person.

    It gives the person called `name` a `role`. `encounter` is the one it is for ("": all for a game master, and for a
    player all in which they play); a player acts for `combatants`. `digest` is the SHA-256 of the secret (hex). Times
    are UTC in ISO 8601; `revoked_at` is "" while the token is valid.
    """

    id: str
    digest: str
    role: TokenRole
    name: str
    made_at: str
    encounter: str = ""
    combatants: tuple[str, ...] = ()
    revoked_at: str = ""


encode_token = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Token).decode


def decode_token(encoded: bytes) -> Token:
    """Return the token stored in those bytes; raise StoreUnusable for data of another program."""
    try:
        return _decode(encoded)
    except UNREADABLE as error:
        raise StoreUnusable(
            f'A token in this store is damaged ({error}). Delete its row from the database table "tokens". '
            "Then create a new token."
        ) from error


def issue(
    role: TokenRole,
    name: str,
    *,
    encounter: str = "",
    combatants: tuple[str, ...] = (),
    at: str,
    entropy: Callable[[int], bytes],
) -> tuple[Token, str]:
    """Return a new token and its text, `mam_ID_SECRET`, which is not stored.

    Raises BadInput for a role that lacks a required field.
    """
    check_text(name, "name", NAME_LENGTH)
    if not name:
        raise BadInput("A token belongs to somebody. Give their name.", place="name")
    if role == "viewer" and not encounter:
        raise BadInput("A viewer's token is for one encounter. Name it.", place="encounter")
    if (role == "player") != bool(combatants):
        who = "say for whom" if role == "player" else f"a {role} acts for nobody by name"
        raise BadInput(f"A player acts for named combatants: {who}.", place="combatants")
    public, secret = entropy(ID_BYTES).hex(), urlsafe_b64encode(entropy(TOKEN_SECRET_BYTES)).decode()
    token = Token(
        id=public,
        digest=_digest(secret),
        role=role,
        name=name,
        made_at=at,
        encounter=encounter,
        combatants=combatants,
    )
    return token, f"mam_{public}_{secret}"


def id_in(words: str) -> str:
    """Return the id in the text of a token; "" if it is no token."""
    mark, _, rest = words.partition("_")
    public, _, secret = rest.partition("_")
    return public if mark == "mam" and secret else ""


def verify_token(token: Token, words: str) -> bool:
    """Return True if that is the text of this token and it was not revoked; the comparison takes constant time."""
    secret = words.split("_", 2)[-1]
    return hmac.compare_digest(_digest(secret), token.digest) and not token.revoked_at


def overlaps(token: Token, name: str, encounter: str) -> bool:
    """Return True if a valid token with that name shares a fight with a token for that encounter ("": all)."""
    shared = not token.encounter or encounter in ("", token.encounter)
    return token.name == name and shared and not token.revoked_at


def characters(names: Iterable[str], people: Mapping[str, Combatant]) -> tuple[str, ...]:
    """Return those of the `names` who are player characters in a fight, and not hidden from their own side.

    `people` are the combatants of the fight. A token for every fight acts for these characters there: another creature
    with the same name doesn't belong to its player.
    """
    combatants = ((name, people[name]) for name in names if name in people)
    return tuple(name for name, one in combatants if one.kind == "pc" and can_see(f"side:{one.side}", one.visibility))


def players_of(tokens: Iterable[Token], encounter: str, people: Mapping[str, Combatant]) -> frozenset[str]:
    """Return the combatants among `people`, those of that encounter, for whom players act by valid tokens."""
    names: set[str] = set()
    for token in tokens:
        if token.encounter in ("", encounter) and not token.revoked_at:
            names |= {*(token.combatants if token.encounter else characters(token.combatants, people))}
    return frozenset(names)


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
