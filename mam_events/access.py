"""Tokens: who may do what through a service. Only a hash of each is kept, beside the log."""

from __future__ import annotations

import hashlib
import hmac
from base64 import urlsafe_b64encode
from collections.abc import Callable
from typing import Literal

import msgspec
from msgspec import Struct

from mam_events.errors import BadInput
from mam_events.text import NAME_LENGTH, checked

Role = Literal["gm", "player", "viewer"]
ID_BYTES = 6
SECRET_BYTES = 24


class Token(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A right to come in: as whom (`name`), in which `role`, to which `encounter` ("": all, for a game master), acting
    for which `combatants`. `digest` is the SHA-256 of the secret (hex); times are UTC in ISO 8601, `revoked_at` is ""
    as long as it holds.
    """

    id: str
    digest: str
    role: Role
    name: str
    made_at: str
    encounter: str = ""
    combatants: tuple[str, ...] = ()
    revoked_at: str = ""


encode_token = msgspec.json.Encoder().encode
decode_token = msgspec.json.Decoder(Token).decode


def issue(
    role: Role,
    name: str,
    *,
    encounter: str = "",
    combatants: tuple[str, ...] = (),
    at: str,
    entropy: Callable[[int], bytes],
) -> tuple[Token, str]:
    """A new token, and the words that whoever has it says: `mam_ID_SECRET`, which are kept nowhere.

    Raises BadInput for a role that lacks what it is for.
    """
    checked(name, "name", NAME_LENGTH)
    if not name:
        raise BadInput("a token is somebody's: say whose.", place="name")
    if role != "gm" and not encounter:
        raise BadInput(f"a {role}'s token is for one encounter: say which.", place="encounter")
    if (role == "player") != bool(combatants):
        who = "say for whom" if role == "player" else f"a {role} acts for nobody by name"
        raise BadInput(f"a player acts for named combatants: {who}.", place="combatants")
    public, secret = entropy(ID_BYTES).hex(), urlsafe_b64encode(entropy(SECRET_BYTES)).decode()
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
    """The id of the token that somebody says he has; "" for what is none."""
    mark, _, rest = words.partition("_")
    public, _, secret = rest.partition("_")
    return public if mark == "mam" and secret else ""


def holds(token: Token, words: str) -> bool:
    """True if those are the words of that token, and it was not revoked; found in a time that tells nothing."""
    secret = words.split("_", 2)[-1]
    return hmac.compare_digest(_digest(secret), token.digest) and not token.revoked_at


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
