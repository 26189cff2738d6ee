-- A log of format 1, as its `migrate` made it for the role that is called "service" here.
CREATE TABLE IF NOT EXISTS stored_events (
    originator_id text COLLATE "C" NOT NULL, originator_version bigint NOT NULL, topic text, state bytea,
    notification_id bigserial, PRIMARY KEY (originator_id, originator_version)
) WITH (
    autovacuum_enabled = true, autovacuum_vacuum_threshold = 100000000, autovacuum_vacuum_scale_factor = 0.5,
    autovacuum_analyze_threshold = 1000, autovacuum_analyze_scale_factor = 0.01
);
CREATE UNIQUE INDEX IF NOT EXISTS stored_events_notification_id_idx ON stored_events (notification_id ASC);
CREATE TABLE IF NOT EXISTS seeds (encounter text PRIMARY KEY, seed bytea NOT NULL);
CREATE TABLE IF NOT EXISTS projected (
    projection text, encounter text, version bigint NOT NULL, said bytea NOT NULL,
    PRIMARY KEY (projection, encounter)
);
CREATE TABLE IF NOT EXISTS tokens (made bigserial PRIMARY KEY, id text UNIQUE, said bytea NOT NULL);
CREATE TABLE IF NOT EXISTS mam_format (format integer PRIMARY KEY);
CREATE OR REPLACE FUNCTION mam_append(encounter text, first bigint, topics text[], states bytea[], secret bytea)
RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = "public", pg_temp AS $body$
DECLARE
    newest bigint;
    written bigint;
BEGIN
    LOCK TABLE stored_events IN EXCLUSIVE MODE;
    IF EXISTS (SELECT FROM pg_trigger WHERE tgrelid = 'stored_events'::regclass AND NOT tgisinternal) THEN
        RETURN -1;
    END IF;
    SELECT max(originator_version) INTO newest FROM stored_events WHERE originator_id = encounter;
    IF coalesce(newest, 0) <> first - 1 THEN
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
    PERFORM pg_notify('stored_events', '');
    RETURN written;
END
$body$;
REVOKE ALL ON FUNCTION mam_append(text, bigint, text[], bytea[], bytea) FROM PUBLIC;
INSERT INTO mam_format VALUES (1);
GRANT USAGE ON SCHEMA "public" TO "service";
GRANT SELECT ON stored_events, seeds, mam_format TO "service";
GRANT SELECT, INSERT, UPDATE, DELETE ON projected TO "service";
GRANT SELECT, INSERT, UPDATE ON tokens TO "service";
GRANT USAGE ON SEQUENCE tokens_made_seq TO "service";
GRANT EXECUTE ON FUNCTION mam_append(text, bigint, text[], bytea[], bytea) TO "service";
