"""The tables of a log in PostgreSQL and the one function that appends to them, made or upgraded by `migrate`."""

from __future__ import annotations

from typing import Any

import psycopg
from psycopg import sql

from mam_events.errors import StoreUnusable

FORMAT = 2
CHANNEL = "stored_events"
_LOCK = int.from_bytes(b"MamE")

# The tables of the event-sourcing library for text ids, ordered by bytes as in SQLite; the sealed log is append-only.
# The row `__migration__` marks the library's newer table, with one row for each application.
_TABLES = (
    """CREATE TABLE IF NOT EXISTS stored_events (
        originator_id text COLLATE "C" NOT NULL, originator_version bigint NOT NULL, topic text, state bytea,
        notification_id bigserial, PRIMARY KEY (originator_id, originator_version)
    ) WITH (
        autovacuum_enabled = true, autovacuum_vacuum_threshold = 100000000, autovacuum_vacuum_scale_factor = 0.5,
        autovacuum_analyze_threshold = 1000, autovacuum_analyze_scale_factor = 0.01
    )""",
    "CREATE UNIQUE INDEX IF NOT EXISTS stored_events_notification_id_idx ON stored_events (notification_id ASC)",
    "CREATE TABLE IF NOT EXISTS seeds (encounter text PRIMARY KEY, seed bytea NOT NULL)",
    """CREATE TABLE IF NOT EXISTS projected (
        projection text, encounter text, version bigint NOT NULL, said bytea NOT NULL,
        PRIMARY KEY (projection, encounter)
    )""",
    """CREATE TABLE IF NOT EXISTS notification_tracking (
        application_name text, notification_id bigint, PRIMARY KEY (application_name)
    )""",
    "INSERT INTO notification_tracking VALUES ('__migration__', 1) ON CONFLICT DO NOTHING",
    """CREATE TABLE IF NOT EXISTS stored_snapshots (
        originator_id text COLLATE "C" NOT NULL, originator_version bigint NOT NULL, topic text, state bytea,
        PRIMARY KEY (originator_id, originator_version)
    )""",
    "CREATE TABLE IF NOT EXISTS tokens (made bigserial PRIMARY KEY, id text UNIQUE, said bytea NOT NULL)",
    "CREATE TABLE IF NOT EXISTS mam_format (format integer PRIMARY KEY)",
)
# It runs with the rights of the role that migrated, so callers need no right to write rows. The lock makes ids visible
# in order, so a reader who asks for rows after the newest one misses nothing. The first version of an encounter is 1;
# for other users of the library it may be 0.
_FUNCTION = """
CREATE OR REPLACE FUNCTION mam_append(encounter text, first bigint, topics text[], states bytea[], secret bytea)
RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = {schema}, pg_temp AS $body$
DECLARE
    newest bigint;
    written bigint;
BEGIN
    LOCK TABLE stored_events IN EXCLUSIVE MODE;
    IF EXISTS (SELECT FROM pg_trigger WHERE tgrelid = 'stored_events'::regclass AND NOT tgisinternal) THEN
        RETURN -1;
    END IF;
    SELECT max(originator_version) INTO newest FROM stored_events WHERE originator_id = encounter;
    IF first <> newest + 1 OR newest IS NULL AND first NOT IN (0, 1) THEN
        RETURN 0;
    END IF;
    WITH rows AS (
        INSERT INTO stored_events (originator_id, originator_version, topic, state)
        SELECT encounter, first - 1 + place, topic, state
        FROM unnest(topics, states) WITH ORDINALITY AS given (topic, state, place) ORDER BY place
        RETURNING notification_id
    ) SELECT max(notification_id) INTO written FROM rows;
    IF secret IS NOT NULL THEN
        INSERT INTO seeds VALUES (encounter, secret) ON CONFLICT ON CONSTRAINT seeds_pkey DO UPDATE SET seed = secret;
    END IF;
    PERFORM pg_notify('{channel}', '');
    RETURN written;
END
$body$
"""
_GRANTS = (
    "GRANT USAGE ON SCHEMA {schema} TO {role}",
    "GRANT SELECT ON stored_events, seeds, mam_format TO {role}",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON projected, notification_tracking, stored_snapshots TO {role}",
    "GRANT SELECT, INSERT, UPDATE ON tokens TO {role}",
    "GRANT USAGE ON SEQUENCE tokens_made_seq TO {role}",
    "GRANT EXECUTE ON FUNCTION mam_append(text, bigint, text[], bytea[], bytea) TO {role}",
)
_SERVING = """
    SELECT DISTINCT grantee FROM information_schema.role_table_grants WHERE table_schema = %s
    AND table_name = 'projected' AND privilege_type = 'INSERT' AND grantee NOT IN (current_user, 'PUBLIC')
"""


def migrate(url: str, name: str, *, role: str = "") -> int:
    """Make or upgrade the tables and the function of a log, and return the previous format (0: none).

    One process at a time does so. A `role`, and each role that had it before, is granted what the service needs, and no
    more. Raises StoreUnusable for a database that doesn't answer, doesn't allow it, or belongs to a newer program.
    """
    try:
        with psycopg.connect(url, autocommit=True, connect_timeout=5, application_name="mam-migrate") as connection:
            connection.execute("SELECT pg_advisory_lock(%s)", (_LOCK,))
            try:
                return _migrated(connection, name, role)
            finally:
                connection.execute("SELECT pg_advisory_unlock(%s)", (_LOCK,))
    except psycopg.Error as error:
        lines = str(error).strip().splitlines() or [type(error).__name__]
        raise StoreUnusable(f"{name} cannot be migrated: {lines[0].rstrip('.')}.") from error


def _migrated(connection: psycopg.Connection[Any], name: str, role: str) -> int:
    before = 0
    (table,) = connection.execute("SELECT to_regclass('mam_format')").fetchone() or (None,)
    if table:
        (before,) = connection.execute("SELECT coalesce(max(format), 0) FROM mam_format").fetchone() or (0,)
    if before > FORMAT:
        raise StoreUnusable(f"{name} was migrated by a newer mam-events (format {before}, this one makes {FORMAT}).")
    (schema,) = connection.execute("SELECT current_schema()").fetchone() or ("public",)
    roles = {role} if role else set()
    if 0 < before < FORMAT:
        roles.update(serving for (serving,) in connection.execute(_SERVING, (schema,)))
    with connection.transaction():
        for statement in _TABLES:
            connection.execute(statement)
        function = sql.SQL(_FUNCTION).format(schema=sql.Identifier(schema), channel=sql.SQL(CHANNEL))
        connection.execute(function)
        connection.execute("REVOKE ALL ON FUNCTION mam_append(text, bigint, text[], bytea[], bytea) FROM PUBLIC")
        connection.execute("INSERT INTO mam_format VALUES (%s) ON CONFLICT DO NOTHING", (FORMAT,))
        for members in roles:
            identifiers = {"schema": sql.Identifier(schema), "role": sql.Identifier(members)}
            for grant in _GRANTS:
                connection.execute(sql.SQL(grant).format(**identifiers))
    return before
