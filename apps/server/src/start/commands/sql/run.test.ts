// Loads plain dumps as pg_dump 14 to 18 write them. With TEST_ENGINE=postgres the installed pg_dump
// writes one too, of every kind of object, and what it loads is compared with what was dumped.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { testDatabase } from '../../../../testing/database/database.ts'
import { findBinaries } from '../../../../testing/postgres/postgres-cluster.ts'
import { administer } from '../../../../testing/database/template.ts'
import type { Database } from '../../../platform/database/open-database.ts'
import { postgresPool } from '../../../platform/database/pools.ts'
import { quietLog } from '../../../../testing/quiet-log.ts'
import { readNumberedLines } from './lines.ts'
import { runScript } from './run.ts'

let database: Database
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

async function loadScript(script: string, check: (db: Kysely<unknown>) => Promise<unknown> = none) {
  async function* chunks() {
    yield Buffer.from(script)
  }
  const undo = new Error('undo')
  const done: unknown[] = []
  await database.untyped
    .transaction()
    .execute(async (trx) => {
      done.push({ ...(await runScript(trx, readNumberedLines(chunks()))), found: await check(trx) })
      throw undo
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error
    })
  return done[0]
}

const none = () => Promise.resolve(null)

/** The lines by which the versions differ. */
const versions = [
  { version: '14.19', settings: [], restrict: true },
  { version: '15.12', settings: [], restrict: false },
  { version: '15.18', settings: [], restrict: true },
  { version: '16.10', settings: [], restrict: true },
  { version: '17.6', settings: ['SET transaction_timeout = 0;'], restrict: true },
  { version: '18.0', settings: ['SET transaction_timeout = 0;'], restrict: true },
]

function buildDump({ version, settings, restrict }: (typeof versions)[number]): string {
  return `--
-- PostgreSQL database dump
--
${restrict ? '\n\\restrict fRk2LzXQ0cL8bNnTg7aM5h\n' : ''}
-- Dumped from database version ${version}
-- Dumped by pg_dump version ${version}

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
${settings.map((each) => `${each}\n`).join('')}SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: SCHEMA public; Type: COMMENT; Schema: -; Owner: nobody_here
--

COMMENT ON SCHEMA public IS 'standard public schema';


SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: Person; Type: TABLE; Schema: public; Owner: nobody_here
--

CREATE TABLE public."Person" (
    id integer NOT NULL,
    "full; name" text DEFAULT 'it''s; here'::text,
    note text
);


ALTER TABLE public."Person" OWNER TO nobody_here;

--
-- Name: initials(text); Type: FUNCTION; Schema: public; Owner: nobody_here
--

CREATE FUNCTION public.initials(name text) RETURNS text
    LANGUAGE sql IMMUTABLE
    BEGIN ATOMIC
 SELECT
        CASE
            WHEN (initials.name = ''::text) THEN NULL::text
            ELSE "left"(initials.name, 1)
        END AS "left";
END;


ALTER FUNCTION public.initials(name text) OWNER TO nobody_here;

--
-- Data for Name: Person; Type: TABLE DATA; Schema: public; Owner: nobody_here
--

COPY public."Person" (id, "full; name", note) FROM stdin;
1\t张三; 李四\t\\N
2\ta\\tb\\\\c\\nd\t
\\.


--
-- Name: Person Person_pkey; Type: CONSTRAINT; Schema: public; Owner: nobody_here
--

ALTER TABLE ONLY public."Person"
    ADD CONSTRAINT "Person_pkey" PRIMARY KEY (id);


--
-- Name: SCHEMA public; Type: ACL; Schema: -; Owner: nobody_here
--

GRANT USAGE ON SCHEMA public TO nobody_here;


--
-- PostgreSQL database dump complete
--
${restrict ? '\n\\unrestrict fRk2LzXQ0cL8bNnTg7aM5h\n' : ''}
`
}

it.each(versions)('loads a dump of pg_dump $version', async (version) => {
  const done = await loadScript(buildDump(version), async (db) => {
    const { rows } = await sql`
      select *, public.initials("full; name") as i from public."Person" order by id`.execute(db)
    return rows
  })
  expect(done).toMatchObject({
    rows: 2,
    found: [
      { id: 1, 'full; name': '张三; 李四', note: null, i: '张' },
      { id: 2, 'full; name': 'a\tb\\c\nd', note: '', i: 'a' },
    ],
    passed: expect.arrayContaining([expect.stringContaining('nobody_here')]),
  })
})

const start = "--\n-- head\n--\n\n\\restrict a\n\nSET client_encoding = 'UTF8';\n\n"

it.each([
  [`${start}-- Name: t\n\nCREATE TABEL public.t (\n a int\n);\n`, 'line 11: syntax error'],
  [
    `${start}CREATE TABLE public.t (a int);\n-- rows\nCOPY public.t (a) FROM stdin;\n1\n2\n3\nx\n5\n\\.\n`,
    'line 15: invalid input syntax for type integer: "x"',
  ],
  [
    `${start}CREATE TABLE public.t (a int);\nCOPY public.t (a) FROM stdin;\n1\n2\t3\n\\.\n`,
    'line 12: 2 values for 1 columns',
  ],
  [
    `${start}CREATE TABLE public.t (a int);\n\n-- rows\nCOPY public.t (b) FROM stdin;\n1\n\\.\n`,
    'line 12: the table public.t lacks the column b',
  ],
])('names the line of what is refused: %j', async (script, sentence) => {
  await expect(loadScript(script)).rejects.toThrow(sentence)
})

it.each([
  [
    'MySQL',
    '-- MySQL dump 10.13  Distrib 8.0.36\n--\n/*!40101 SET NAMES utf8 */;\n\n--\n-- Table structure\n--\n\nDROP TABLE IF EXISTS `a`;\nCREATE TABLE `a` (`id` int) ENGINE=InnoDB;\n',
    9,
  ],
  [
    'MySQL',
    '-- Navicat\n\nSET NAMES utf8mb4;\nSET FOREIGN_KEY_CHECKS = 0;\n\nDROP TABLE IF EXISTS `b`;',
    6,
  ],
  [
    'SQL Server',
    '/* script */\nUSE [school]\nGO\nSET ANSI_NULLS ON\nGO\nCREATE TABLE [dbo].[a]([id] [int] NOT NULL)\nGO\n',
    2,
  ],
  [
    'SQL Server',
    "-- script\nSET ANSI_NULLS ON\nGO\nCREATE TABLE [dbo].[a]([id] [int] NOT NULL)\nGO\nINSERT [dbo].[a] VALUES (N'x')\n",
    2,
  ],
  ['Oracle', '-- script\n\nCREATE TABLE a (id NUMBER(10), name VARCHAR2(20));\n', 3],
  ['SQLite', 'PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n', 1],
])('names SQL of %s, with its line and the way out', async (name, script, line) => {
  await expect(loadScript(script)).rejects.toThrow(
    new RegExp(`^line ${line}: this is SQL of ${name}.*(pgloader|ora2pg).*csv`),
  )
})

it('passes over commands of psql, and drops of what is not there', async () => {
  const done = await loadScript(
    '-- a\n\\set x 1\n\\restrict a\nALTER TABLE ONLY public.no DROP CONSTRAINT c;\nDROP TABLE public.no;\ncreate table public.t (a int);\n\\unrestrict a\n',
  )
  expect(done).toMatchObject({
    statements: 3,
    passed: [
      'line 2: \\set x 1 is a command of psql',
      expect.stringMatching(/^line 4: .*does not exist/),
      expect.stringMatching(/^line 5: .*does not exist/),
    ],
  })
})

const { postgresUrl } = inject('testStore')
const objects = `
create schema "Old data";
create role dump_owner;
create type public.mood as enum ('a; b', 'it''s');
create domain public.mark as numeric(5,2) check (value >= 0);
create table public.parent (id serial primary key, t text, m public.mood, n public.mark);
alter table public.parent owner to dump_owner;
create table "Old data"."Child; 1" (
  parent_id int references public.parent, no int generated always as identity, b bytea, j jsonb,
  a text[], ts timestamptz, twice int generated always as (no * 2) stored, primary key (parent_id, no));
create table public.no_columns ();
insert into public.no_columns select from generate_series(1, 3);
insert into public.parent (t, m, n) values
  (e'tab\\t line\\n cr\\r\\n back\\\\slash "q" ''q''', 'a; b', 1.50), (null, 'it''s', null), ('\\N', null, 0),
  ('\\.', null, 1), ('', null, 2), ('$body$; -- /* ', null, 3);
insert into "Old data"."Child; 1" (parent_id, b, j, a, ts) values
  (1, '\\x00ff5c', '{"a": "\\\\n"}', '{"a,b",NULL,""}', '2024-02-29 12:00+08'), (1, null, null, '{}', null);
create function public.f(i int) returns int language sql begin atomic; select i; select case when i > 1 then 2 end; end;
create function public.g() returns trigger language plpgsql as $$ begin new.t := coalesce(new.t, ';'); return new; end $$;
create view public.v as select id, t from public.parent;
create rule r as on insert to public.v do instead (insert into public.parent (t) values (new.t); update public.parent set t = t where false);
create materialized view public.mv as select count(*) from public.parent;
create trigger g before update on public.parent for each row execute function public.g();
create table public.part (id int, at date) partition by range (at);
create table public.part_1 partition of public.part for values from ('2024-01-01') to ('2025-01-01');
insert into public.part values (1, '2024-05-05');
comment on table public.parent is 'a; comment -- with ''quotes''';
grant select on public.parent to dump_owner;
select lo_from_bytea(0, '\\x0102');
`

// The server and its programs belong to the run of the tests.
it
  .runIf(postgresUrl !== undefined)
  .each([
    [[]],
    [['--inserts']],
    [['--rows-per-insert=3']],
    [['--clean']],
    [['--clean', '--if-exists', '--create']],
    [['--no-owner', '--no-privileges', '--encoding=GBK']],
  ])(
  'loads what the installed pg_dump writes with %j',
  async (options) => {
    const url = postgresUrl ?? ''
    const names = { from: `from_${randomUUID().slice(0, 8)}`, to: `to_${randomUUID().slice(0, 8)}` }
    await administer(url, `create database ${names.from}`)
    await administer(url, `create database ${names.to}`)
    const dump = (name: string, given: readonly string[] = []) =>
      execFileSync(join(findBinaries(hasDump), 'pg_dump'), [...given, '-d', `${url}${name}`], {
        maxBuffer: 2 ** 26,
      })
    try {
      await administer(url, 'drop role if exists dump_owner')
      await inDatabase(url + names.from, (db) => sql.raw(objects).execute(db))
      const bytes = dump(names.from, options)
      async function* chunks() {
        for (let at = 0; at < bytes.length; at += 100) yield bytes.subarray(at, at + 100)
      }
      await inDatabase(url + names.to, (db) =>
        db.transaction().execute((trx) => runScript(trx, readNumberedLines(chunks()))),
      )
      const compared = options.filter((each) => each.startsWith('--no-'))
      expect(withoutKeys(dump(names.to, compared))).toBe(withoutKeys(dump(names.from, compared)))
    } finally {
      await administer(url, `drop database ${names.to} with (force)`)
      await administer(url, `drop database ${names.from} with (force)`)
      await administer(url, 'drop role if exists dump_owner')
    }
  },
  60_000,
)

async function inDatabase(url: string, work: (db: Kysely<unknown>) => Promise<unknown>) {
  const db = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool: postgresPool(url, quietLog) }),
  })
  try {
    await work(db)
  } finally {
    await db.destroy()
  }
}

const hasDump = (bin: string) => existsSync(join(bin, 'pg_dump'))

/** A dump draws its key of psql at random. */
function withoutKeys(dump: Buffer): string {
  return dump.toString().replaceAll(/^\\(un)?restrict .*$/gm, '')
}
