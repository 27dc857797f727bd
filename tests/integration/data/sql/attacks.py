"""Statements that must not get through, by dialect: what they try, and what holds where the parse does not look.

`session`: the read-only session of the server refuses it. `role`: only a role without rights is refused; the owner of a
server could do it in a read-only session. `time`: it does no more than take time, which is limited. `nothing`: it
changes and tells nothing that outlives its own session.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast

from tablewright.data.sql.base import Dialect

Holds = Literal["session", "role", "time", "nothing"]
OUT = "/tmp/tablewright-attack"


@dataclass(frozen=True, slots=True, kw_only=True)
class Attack:
    """A statement and what holds behind the parse."""

    sql: str
    holds: Holds = "session"


def _all(text: str) -> tuple[Attack, ...]:
    """Read one attack per line: `holds | statement`."""
    made: list[Attack] = []
    for line in text.strip().splitlines():
        holds, _, sql = line.strip().partition(" | ")
        made.append(Attack(sql=sql.replace("OUTFILE_PATH", OUT), holds=cast(Holds, holds)))
    return tuple(made)


ATTACKS: Mapping[Dialect, tuple[Attack, ...]] = {
    "postgres": _all(r"""
        session | SELECT 1; DELETE FROM orders
        session | SELECT 1 /* ; */; DROP TABLE orders -- x
        session | COMMIT; DROP TABLE orders
        session | BEGIN READ WRITE; DELETE FROM orders
        session | WITH d AS (DELETE FROM orders RETURNING *) SELECT * FROM d
        session | WITH i AS (INSERT INTO orders VALUES (99) RETURNING id) SELECT * FROM i
        session | WITH u AS (UPDATE orders SET amount = 0 RETURNING *) SELECT count(*) FROM u
        session | EXPLAIN ANALYZE DELETE FROM orders
        session | EXPLAIN (ANALYZE) DELETE FROM orders
        session | SELECT * INTO stolen FROM orders
        session | SELECT * FROM orders FOR UPDATE
        session | SELECT * FROM orders FOR SHARE
        session | SELECT nextval('numbers')
        session | SELECT setval('numbers', 99)
        session | SELECT add_one()
        session | SELECT lo_import('/etc/passwd')
        session | SELECT lo_create(4242)
        session | DO $$ BEGIN DELETE FROM orders; END $$
        session | CREATE TABLE t AS SELECT * FROM orders
        session | TRUNCATE orders
        session | COPY orders FROM '/etc/passwd'
        role | COPY (SELECT * FROM orders) TO 'OUTFILE_PATH'
        role | COPY (SELECT 1) TO PROGRAM 'touch OUTFILE_PATH'
        role | SELECT pg_read_file('/etc/passwd')
        role | SELECT pg_ls_dir('/')
        role | SELECT * FROM pg_read_binary_file('/etc/passwd')
        role | SELECT pg_reload_conf()
        role | SELECT rolpassword FROM pg_authid
        role | SELECT * FROM pg_shadow
        role | SELECT * FROM pg_hba_file_rules
        role | ALTER SYSTEM SET log_statement = 'all'
        role | SELECT query_to_xml('DELETE FROM orders', true, false, '')
        role | SELECT dblink('host=localhost', 'DELETE FROM orders')
        role | CREATE EXTENSION dblink
        time | SELECT pg_sleep(100)
        time | SELECT 1 WHERE 1 = (SELECT 1 FROM pg_sleep(100))
        time | SELECT "pg_sleep"(100)
        time | SELECT pg_catalog.pg_sleep(100)
        time | SELECT PG_SLEEP/**/(100)
        time | SELECT U&"pg\005fsleep"(100)
        nothing | SELECT set_config('default_transaction_read_only', 'off', false)
        nothing | SET default_transaction_read_only = off
        session | SET TRANSACTION READ WRITE
        nothing | SELECT pg_advisory_lock(1)
        nothing | SELECT pg_notify('x', 'y')
        nothing | LISTEN x
        nothing | PREPARE p AS DELETE FROM orders
        session | CALL add_one()
        session | VACUUM orders
        session | SELECT 1 \; DELETE FROM orders
        session | LOCK TABLE orders IN ACCESS EXCLUSIVE MODE
        nothing | SELECT current_setting('data_directory')
    """),
    "mysql": _all(r"""
        session | SELECT 1; DELETE FROM orders
        session | SELECT 1 /*! ; DELETE FROM orders */
        session | /*!50000 DELETE FROM orders */
        session | /*M!100000 DROP TABLE orders */
        session | SELECT * FROM orders FOR UPDATE
        nothing | SELECT * FROM orders LOCK IN SHARE MODE
        session | SELECT NEXTVAL(numbers)
        session | SELECT NEXT VALUE FOR numbers
        session | SELECT SETVAL(numbers, 99)
        session | CALL add_one()
        session | REPLACE INTO orders VALUES (1, 1, 1, NULL)
        session | TRUNCATE TABLE orders
        session | RENAME TABLE orders TO gone
        session | LOAD DATA INFILE '/etc/passwd' INTO TABLE orders
        session | LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE orders
        session | CREATE TABLE t AS SELECT * FROM orders
        session | ANALYZE DELETE FROM orders
        session | LOCK TABLES orders WRITE
        session | GRANT ALL ON *.* TO reader@localhost
        session | CREATE USER x@localhost
        session | INSTALL SONAME 'ha_spider'
        role | SELECT * FROM orders INTO OUTFILE 'OUTFILE_PATH'
        role | SELECT 1 INTO DUMPFILE 'OUTFILE_PATH'
        role | SELECT user, password FROM mysql.user
        role | SELECT authentication_string FROM mysql.user
        role | SET GLOBAL general_log = 1
        role | KILL 99999
        nothing | SELECT LOAD_FILE('/etc/passwd')
        time | SELECT SLEEP(100)
        time | SELECT BENCHMARK(1000000000000, MD5('x'))
        time | SELECT IF(1 = 1, SLEEP(100), 0)
        time | SELECT /*!50000 SLEEP(100) */
        time | SELECT `SLEEP`(100)
        nothing | SELECT GET_LOCK('x', 1)
        nothing | SELECT @a := 1
        nothing | SELECT 1 INTO @a
        nothing | SELECT @@datadir
        nothing | SET SESSION TRANSACTION READ WRITE
        nothing | SET @x = 1
        nothing | PREPARE p FROM 'DELETE FROM orders'
        session | EXECUTE IMMEDIATE 'DELETE FROM orders'
        nothing | HANDLER orders OPEN
        nothing | DO SLEEP(0)
        session | BEGIN NOT ATOMIC DELETE FROM orders; END
        nothing | SELECT LAST_INSERT_ID(5)
        nothing | SHOW GRANTS
        nothing | SHOW PROCESSLIST
    """),
    "sqlite": _all(r"""
        session | SELECT 1; DELETE FROM orders
        session | WITH x AS (SELECT 1) DELETE FROM orders
        session | WITH x AS (SELECT 1) INSERT INTO orders SELECT 99, 1, 1, NULL FROM x
        session | INSERT INTO orders VALUES (99, 1, 1, NULL) RETURNING id
        session | ATTACH DATABASE 'OUTFILE_PATH' AS x
        session | VACUUM INTO 'OUTFILE_PATH'
        session | PRAGMA writable_schema = ON
        session | PRAGMA query_only = OFF
        session | PRAGMA table_info('orders')
        session | SELECT * FROM pragma_database_list
        session | SELECT * FROM pragma_table_info('orders')
        session | SELECT load_extension('/tmp/x.so')
        session | SELECT readfile('/etc/passwd')
        session | SELECT writefile('OUTFILE_PATH', 'x')
        session | SELECT edit('x')
        session | SELECT fts3_tokenizer('x')
        session | CREATE TEMP TABLE t AS SELECT 1
        session | CREATE VIRTUAL TABLE t USING fts5(a)
        session | DROP TABLE orders
        nothing | REINDEX orders
        session | ANALYZE
        session | BEGIN IMMEDIATE
        session | SAVEPOINT x
        session | REPLACE INTO orders VALUES (1, 1, 1, NULL)
        session | UPDATE orders SET amount = 0
        nothing | SELECT randomblob(1000)
        session | SELECT length(zeroblob(1000000000))
        session | SELECT "load_extension"('/tmp/x.so')
        session | SELECT [load_extension]('/tmp/x.so')
        session | EXPLAIN DELETE FROM orders
        session | SELECT 1 UNION SELECT 2; ATTACH 'OUTFILE_PATH' AS y
    """),
    "duckdb": _all(r"""
        session | SELECT * FROM read_csv('/etc/passwd')
        session | SELECT * FROM read_text('/etc/passwd')
        session | SELECT * FROM read_blob('/etc/passwd')
        session | SELECT * FROM read_parquet('/tmp/x.parquet')
        session | SELECT * FROM '/etc/passwd'
        session | SELECT * FROM "/etc/passwd"
        session | FROM '/etc/passwd'
        session | SELECT * FROM glob('/*')
        session | SELECT * FROM read_csv('https://example.com/x.csv')
        session | INSTALL httpfs
        session | LOAD httpfs
        session | ATTACH 'OUTFILE_PATH' AS x
        session | COPY orders TO 'OUTFILE_PATH'
        session | COPY (SELECT 1) TO 'OUTFILE_PATH' (FORMAT parquet)
        session | EXPORT DATABASE 'OUTFILE_PATH'
        session | DELETE FROM orders
        session | INSERT INTO orders VALUES (99, 1, 1, NULL) RETURNING id
        session | SELECT 1; DELETE FROM orders
        session | CREATE TABLE t AS SELECT 1
        session | CREATE MACRO m() AS 1
        session | SET threads = 1
        session | SET enable_external_access = true
        session | PRAGMA enable_profiling
        session | PRAGMA memory_limit = '100GB'
        session | EXPLAIN ANALYZE DELETE FROM orders
        session | CREATE SECRET s (TYPE s3)
        session | SELECT getenv('HOME')
        session | SELECT nextval('numbers')
        nothing | SELECT * FROM duckdb_settings()
        nothing | SELECT * FROM duckdb_secrets()
        nothing | SELECT current_setting('home_directory')
        nothing | CALL pragma_version()
        nothing | CREATE TEMP TABLE t AS SELECT 1
        session | SELECT * FROM query('DELETE FROM orders')
        session | SELECT * FROM sniff_csv('/etc/passwd')
        nothing | CHECKPOINT
        session | UPDATE EXTENSIONS
        session | IMPORT DATABASE '/tmp'
        session | SELECT * FROM sqlite_scan('/tmp/x.db', 't')
        nothing | SELECT write_log('x')
    """),
}
