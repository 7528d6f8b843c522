// Scripts as mysqldump 8, mariadb-dump, Navicat and phpMyAdmin write them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testDatabase } from '../../../../../testing/database/database.ts'
import type { Database } from '../../../../platform/database/open-database.ts'
import type { ScriptResult } from '../run.ts'
import { isMysqlScript, toUtf8 } from './recognise.ts'
import { runMysqlScript } from './run.ts'

let database: Database
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

type Loaded<Found> = ScriptResult & { readonly found: Found }

/** Loads a script in pieces of 7 bytes, asks `check`, and takes everything back. */
async function loadScript<Found>(
  script: string | Buffer,
  check: (db: Kysely<unknown>) => Promise<Found>,
): Promise<Loaded<Found>> {
  const bytes = Buffer.from(script)
  async function* chunks() {
    yield bytes.subarray(0, 65_536)
    for (let at = 65_536; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7)
  }
  const undo = new Error('undo')
  const done: Loaded<Found>[] = []
  await database.untyped
    .transaction()
    .execute(async (trx) => {
      const result = await runMysqlScript(trx, toUtf8(chunks()), {
        schema: 'old school',
        now: new Date('2026-11-28T02:00:00Z'),
      })
      done.push({ ...result, found: await check(trx) })
      throw undo
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error
    })
  const [loaded] = done
  if (loaded === undefined) throw new Error('nothing was loaded')
  return loaded
}

const selectAll = (table: string) => async (db: Kysely<unknown>) =>
  (
    await sql<
      Record<string, unknown>
    >`select * from ${sql.id('old school', table)} order by 1`.execute(db)
  ).rows
const checkNothing = () => Promise.resolve(null)

const mysqldump = readFileSync(join(import.meta.dirname, 'mysqldump-8.sql'), 'utf8')

describe('a dump of mysqldump', () => {
  it('keeps every value', async () => {
    const { found, rows } = await loadScript(mysqldump, async (db) => {
      const { rows: students } = await sql<Record<string, unknown>>`
        select id::text, no, name, class_id::text, sex, hobbies, in_school, kind, flag, mask::text,
          fee::text, score, born::text, joined::text, (seen at time zone 'UTC')::text as seen,
          encode(photo, 'hex') as photo, extra::text, big::text, year, full_name
        from "old school".student order by id`.execute(db)
      return students
    })
    expect(rows).toBe(4)
    expect(found).toEqual([
      {
        id: '0',
        no: 'A;1',
        name: 'O\'Neil "x"\n二\\',
        class_id: null,
        sex: '女',
        hobbies: 'a,b',
        in_school: true,
        kind: 2,
        flag: false,
        mask: '4095',
        fee: '12.50',
        score: -0.0015,
        born: '2001-02-03',
        joined: '2020-01-02 03:04:05.678',
        seen: '2020-06-01 00:00:00',
        photo: '61002762',
        extra: '{"a": [1, 2]}',
        big: '18446744073709551615',
        year: 2020,
        full_name: 'A;1 O\'Neil "x"\n二\\',
      },
      expect.objectContaining({
        id: '2',
        no: "B'2",
        class_id: '7',
        sex: null,
        hobbies: '',
        in_school: false,
        flag: true,
        mask: '5',
        born: null,
        photo: '00ff',
        full_name: "B'2 ",
      }),
    ])
  })

  it('keeps keys, checks, comments, defaults, numbers and views', async () => {
    const { found } = await loadScript(mysqldump, async (db) => {
      const constraints = await sql<{ text: string }>`
        select pg_get_constraintdef(oid) as text from pg_constraint
        where conrelid = '"old school".student'::regclass and contype <> 'n' order by contype, text`.execute(
        db,
      )
      const comments = await sql<{ text: string }>`
        select description as text from pg_description
        where objoid = '"old school".student'::regclass order by objsubid`.execute(db)
      const added = await sql<{ id: string; defaults: string }>`
        insert into "old school".student (no, born) values ('C3', '2002-01-01')
        returning id::text, concat_ws('|', name, sex, in_school, kind, flag, fee) as defaults`.execute(
        db,
      )
      const roster = await sql`select * from "old school".roster`.execute(db)
      const classes = await sql`select id::int, name from "old school".class order by id`.execute(
        db,
      )
      const indexes = await sql<{ text: string }>`
        select pg_get_indexdef(indexrelid) as text from pg_index
        where indrelid = '"old school".student'::regclass and not indisunique order by 1`.execute(
        db,
      )
      return {
        constraints: constraints.rows.map(({ text }) => text),
        comments: comments.rows.map(({ text }) => text),
        added: added.rows,
        roster: roster.rows,
        classes: classes.rows,
        indexes: indexes.rows.map(({ text }) => text.replace(/^.* USING /, '')),
      }
    })
    expect(found.constraints).toEqual([
      "CHECK (((sex)::text = ANY ((ARRAY['男'::character varying, '女'::character varying, 'it''s'::character varying])::text[])))",
      'CHECK ((big >= (0)::numeric))',
      'CHECK ((class_id >= 0))',
      'CHECK ((fee >= (0)::numeric))',
      expect.stringMatching(/CHECK \(\(score >= /),
      "CHECK ((string_to_array(hobbies, ','::text) <@ ARRAY['a'::text, 'b'::text]))",
      'FOREIGN KEY (class_id) REFERENCES "old school".class(id) ON DELETE SET NULL',
      'PRIMARY KEY (id)',
      'UNIQUE (no)',
    ])
    expect(found.comments).toEqual(["学生; a 'list'", '编号', "学号; it's unique", '1本科 2专科'])
    expect(found.added).toEqual([{ id: '42', defaults: '|男|t|2|f|0.00' }])
    expect(found.roster).toEqual([{ no: "B'2", class: '七班' }])
    expect(found.classes).toEqual([
      { id: 0, name: '零班' },
      { id: 7, name: '七班' },
    ])
    expect(found.indexes).toEqual(['btree (class_id)', 'btree ("left"((name)::text, 10))'])
  })

  it('lists what is left out', async () => {
    const { passed } = await loadScript(mysqldump, checkNothing)
    expect(passed).toEqual([
      'line 57: the procedure `p` is left out',
      'line 61: the trigger `t` is left out',
      'line 9: student.sex: values that are none of the options are empty (1 values)',
      'line 9: student.born: dates without a day (0000-00-00) are empty (1 values)',
      'line 9: student.born may be empty now',
      'line 9: student.seen no longer sets itself at each change',
      'line 9: the index ft of student is left out (an index of kind fulltext)',
    ])
  })
})

describe('scripts of other programs', () => {
  it('keys of phpMyAdmin follow the rows', async () => {
    const { found } = await loadScript(
      `-- phpMyAdmin SQL Dump
SET SQL_MODE = "NO_AUTO_VALUE_ON_ZERO";
SET time_zone = "+08:00";
CREATE TABLE \`a\` (\`id\` int(11) NOT NULL, \`b\` int(11) NOT NULL, \`at\` timestamp NOT NULL DEFAULT current_timestamp(), \`note\` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL CHECK (json_valid(\`note\`))) ENGINE=InnoDB;
INSERT INTO \`a\` (\`id\`, \`b\`, \`at\`, \`note\`) VALUES
(0, 1, '2020-01-01 08:00:00', '{"x":1}'),
(5, 2, '2020-01-01 08:00:00', NULL);
ALTER TABLE \`a\` ADD PRIMARY KEY (\`id\`), ADD UNIQUE KEY \`b\` (\`b\`), ADD COLUMN \`c\` varchar(5) DEFAULT 'x' COMMENT 'new';
ALTER TABLE \`a\` MODIFY \`id\` int(11) NOT NULL AUTO_INCREMENT, AUTO_INCREMENT=9;
ALTER TABLE \`a\` ADD CONSTRAINT \`f\` FOREIGN KEY (\`b\`) REFERENCES \`b\` (\`id\`);
`,
      async (db) => {
        await sql`insert into "old school".a (b) values (3)`.execute(db)
        const { rows } = await sql`
          select id, b, (at at time zone 'UTC')::text as at, note::text, c from "old school".a
          where b < 3 or id = 9 order by id`.execute(db)
        return rows
      },
    )
    expect(found).toEqual([
      { id: 0, b: 1, at: '2020-01-01 00:00:00', note: '{"x": 1}', c: 'x' },
      { id: 5, b: 2, at: '2020-01-01 00:00:00', note: null, c: 'x' },
      expect.objectContaining({ id: 9, b: 3 }),
    ])
  })

  it.each(['gbk', 'utf-16le'])('reads %s', async (encoding) => {
    // 《运動》 in GBK, whose second bytes may be a backslash or a backtick.
    const gbk = Buffer.concat([
      Buffer.from(
        "SET NAMES gbk;\ncreate table `t` (`a` varchar(9)) engine=innodb;\ninsert into t values ('",
      ),
      Buffer.from([0xa1, 0xb6, 0xd4, 0xcb, 0x84, 0x5c, 0x84, 0x60, 0xa1, 0xb7]),
      Buffer.from("');\n"),
    ])
    const text = new TextDecoder('gbk').decode(gbk)
    const script =
      encoding === 'gbk' ? gbk : Buffer.from(`\ufeff${text.replace('gbk', 'utf8mb4')}`, 'utf16le')
    const { found } = await loadScript(script, selectAll('t'))
    expect(found).toEqual([{ a: /'(.*)'/.exec(text)?.[1] }])
  })

  it('functions of a hand-written script are the time of the load; NULL and 0 count on', async () => {
    const { found } = await loadScript(
      "create table t (id bigint(20) not null auto_increment primary key, at datetime, by_hand varchar(64) default '') engine=innodb auto_increment=100;\n" +
        "insert into t values(1, sysdate(), 'a'); insert into t values(0, now(), 'b'), (null, null, 'c');\n" +
        'insert ignore into t(id) values (1);',
      async (db) =>
        (await sql`select id::text, at::text, by_hand from "old school".t order by id`.execute(db))
          .rows,
    )
    expect(found).toEqual([
      { id: '1', at: '2026-11-28 10:00:00', by_hand: 'a' },
      { id: '100', at: '2026-11-28 10:00:00', by_hand: 'b' },
      { id: '101', at: null, by_hand: 'c' },
    ])
  })

  it.each([
    [
      'create table `a` (`id` int);\n\ninsert into `a` values (1),\n(2,3);',
      'line 4: 2 values for 1 columns of a',
    ],
    [
      'create table `a` (`id` int);\ninsert into `a` values (1),\n(concat(1,2));',
      'line 3: a.id the function concat() cannot be read',
    ],
    [
      'create table `a` (`id` tinyint);\ninsert into `a` values (1),\n(40000);',
      'line 3: value "40000" is out of range for type smallint',
    ],
    [
      'create table `a` (`id` int);\ncreate table `a` (`id` int);',
      'line 2: the table old school.a is there already',
    ],
    ['insert into `b` values (1);', 'line 1: the script makes no table b'],
    ['create table `a` (`x` blurb);', 'line 1: the type blurb of x is unknown'],
    [
      "create table `a` (`id` int);\ninsert into `a` values ('1);\n",
      "line 2: the statement does not end (' is missing)",
    ],
  ])('names the line of what cannot be read: %j', async (script, sentence) => {
    await expect(loadScript(script, checkNothing)).rejects.toThrow(sentence)
  })

  it('warnings of the program before the script are passed, and names of the system get an underscore', async () => {
    const { found } = await loadScript(
      'Warning: Using a password on the command line interface can be insecure.\n' +
        'mysqldump: [Warning] Something else.\n' +
        'CREATE TABLE `pick` (`ctid` int NOT NULL, `cno` int, PRIMARY KEY (`ctid`)) ENGINE=InnoDB;\n' +
        'INSERT INTO `pick` (`ctid`, `cno`) VALUES (1, 2);',
      selectAll('pick'),
    )
    expect(found).toEqual([{ ctid_: 1, cno: 2 }])
  })
  it('a foreign key whose rows have no partner is left out, with the reason of the database', async () => {
    const { passed } = await loadScript(
      'create table `a` (`id` int primary key, `b` int, constraint f foreign key (`b`) references `a` (`id`));\ninsert into `a` values (1, 2);',
      checkNothing,
    )
    expect(passed).toEqual([
      expect.stringMatching(/^line 1: the foreign key f of a is left out \(.*violates foreign key/),
    ])
  })
})

describe('recognising', () => {
  it.each([
    [true, mysqldump],
    [true, '/*M!999999\\- enable the sandbox mode */ \n-- MariaDB dump 10.19'],
    [true, '/*\n Navicat Premium Data Transfer\n Source Server Type    : MySQL\n*/'],
    [true, 'create table sys_dept (dept_id bigint) engine=innodb;'],
    [false, '-- PostgreSQL database dump\nselect `a`'],
    [false, "create table a (b text default 'engine=innodb `x`'); -- `y`"],
    [false, '/*\n Navicat Premium Data Transfer\n Source Server Type    : PostgreSQL\n*/'],
    [false, 'CREATE TABLE [dbo].[a]([id] [int] NOT NULL)'],
  ])('is MySQL: %j', (expected, script) => {
    expect(isMysqlScript(Buffer.from(script))).toBe(expected)
  })
})
