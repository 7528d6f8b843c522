import { expect, it } from 'vitest'
import { readNumberedLines } from './lines.ts'
import { type Part, splitIntoParts } from './script.ts'

/** Reads a script in chunks of a few bytes, so that lines, quotes and marks are cut anywhere. */
async function readScript(script: string | Uint8Array, chunk = 7): Promise<Part[]> {
  const bytes = typeof script === 'string' ? Buffer.from(script) : script
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += chunk) yield bytes.subarray(at, at + chunk)
  }
  const parts: Part[] = []
  for await (const part of splitIntoParts(readNumberedLines(chunks()))) parts.push(part)
  return parts
}

const listPartTexts = (parts: readonly Part[]) => parts.map(({ line, text }) => [line, text])

it('splits statements at semicolons outside of quotes, comments and bodies', async () => {
  const script = `-- a comment; with a semicolon
create table a (x text default ';'); insert into a values ('it''s; one');
/* several
lines; /* nested; */ still; */
create function f() returns int language plpgsql as $body$
begin
  return 1; -- inside; it's
end $body$;
select "odd;""name" from e, a$b$c where x = e'\\\\\\';' and y = $1 and z = ''; ;;
select 1`
  expect(listPartTexts(await readScript(script))).toEqual([
    [2, "create table a (x text default ';');"],
    [2, "insert into a values ('it''s; one');"],
    [
      5,
      `create function f() returns int language plpgsql as $body$
begin
  return 1; -- inside; it's
end $body$;`,
    ],
    [9, `select "odd;""name" from e, a$b$c where x = e'\\\\\\';' and y = $1 and z = '';`],
    [10, 'select 1'],
  ])
})

it.each([
  `CREATE FUNCTION public.f(i integer) RETURNS integer
    LANGUAGE sql
    BEGIN ATOMIC
 SELECT 1 AS begin;
 SELECT CASE WHEN (f.i > 1) THEN 2 ELSE 3 END AS end;
END;`,
  `CREATE OR REPLACE PROCEDURE public.p()
    LANGUAGE sql
    BEGIN ATOMIC
 INSERT INTO public.t (a) VALUES (1);
 END;`,
  `CREATE RULE r AS
    ON INSERT TO public.t DO ALSO ( INSERT INTO public.l (a)
  VALUES (new.a);
 UPDATE public.l SET b = 1;
);`,
])('keeps the semicolons within a body of standard SQL and a rule: %s', async (statement) => {
  const parts = await readScript(`\n-- above\n\n${statement}\n\nSELECT 2;\n`)
  expect(listPartTexts(parts)).toEqual([
    [4, statement],
    [4 + statement.split('\n').length + 1, 'SELECT 2;'],
  ])
})

it('takes the COPY blocks and psql lines of a plain dump', async () => {
  const script = `--
-- PostgreSQL database dump
--

\\restrict abc

SET client_encoding = 'UTF8';

--
-- Name: t; Type: TABLE DATA
--

COPY public.t (a, b) FROM stdin;
1\tone; two
2\t\\N
\\.

/* above */
\\connect other
COPY public.none  FROM stdin;
\\.
SELECT '
\\unrestrict abc
';
\\unrestrict abc
`
  expect(await readScript(script)).toEqual([
    { kind: 'psql', line: 5, text: '\\restrict abc' },
    { kind: 'statement', line: 7, text: "SET client_encoding = 'UTF8';" },
    { kind: 'rows', line: 13, text: 'COPY public.t (a, b) FROM stdin;', rows: [] },
    {
      kind: 'rows',
      line: 13,
      text: 'COPY public.t (a, b) FROM stdin;',
      rows: [
        { number: 14, text: '1\tone; two' },
        { number: 15, text: '2\t\\N' },
      ],
    },
    { kind: 'psql', line: 19, text: '\\connect other' },
    { kind: 'rows', line: 20, text: 'COPY public.none  FROM stdin;', rows: [] },
    { kind: 'rows', line: 20, text: 'COPY public.none  FROM stdin;', rows: [] },
    { kind: 'statement', line: 22, text: "SELECT '\n\\unrestrict abc\n';" },
    { kind: 'psql', line: 25, text: '\\unrestrict abc' },
  ])
})

it('takes the line ends of Windows, and keeps those within a value', async () => {
  const script =
    "\\restrict a\r\nselect 'a\r\nb';\r\nCOPY t FROM stdin;\r\n1\r\n\\.\r\nselect 2;\r\n"
  const parts = await readScript(script)
  expect(listPartTexts(parts)).toEqual([
    [1, '\\restrict a'],
    [2, "select 'a\r\nb';"],
    [4, 'COPY t FROM stdin;'],
    [4, 'COPY t FROM stdin;'],
    [7, 'select 2;'],
  ])
  expect(parts[3]).toMatchObject({ rows: [{ number: 5, text: '1' }] })
})

it('reads the encoding that a dump names, and the two of PowerShell', async () => {
  const gbk = Buffer.from([0xd5, 0xc5])
  const dump = Buffer.concat([
    Buffer.from("SET client_encoding = 'GBK';\nselect '"),
    gbk,
    Buffer.from("';"),
  ])
  expect((await readScript(dump, 4_096)).at(-1)).toMatchObject({ line: 2, text: "select '张';" })
  const little = Buffer.from("\ufeff-- 一\r\nselect '张';\r\n", 'utf16le')
  expect(listPartTexts(await readScript(little, 8))).toEqual([[2, "select '张';"]])
  expect(listPartTexts(await readScript(Buffer.from(little).swap16(), 8))).toEqual([
    [2, "select '张';"],
  ])
  expect(listPartTexts(await readScript("\ufeffselect '张';"))).toEqual([[1, "select '张';"]])
})

it.each([
  [Buffer.from('select 1;\nselect 2;\nselect \xd5\xc5;\n', 'latin1'), /^line 3: .* not UTF-8/],
  [Buffer.from("SET client_encoding = 'MULE_INTERNAL';"), /MULE_INTERNAL cannot be read/],
  [Buffer.from('PGDMP\u0001\u000e'), /archive of pg_dump; `pg_restore/],
  [Buffer.from([0x1f, 0x8b, 8, 0]), /compressed.*gunzip/],
  [Buffer.from('COPY t FROM stdin;\n1\n2\n'), /^line 3: .*COPY in line 1 do not end/],
  [Buffer.from("select 1;\n-- here\nselect 'open;\n"), /^line 3: the statement does not end/],
])('refuses %j with the line or the way out', async (bytes, sentence) => {
  await expect(readScript(bytes, 4_096)).rejects.toThrow(sentence)
})

it('reads more than the longest string of V8 with flat memory', async () => {
  // 528 chunks of 1 MiB; the longest string has 2^29 - 24 characters, 512 MiB.
  const [chunks, rowsOfChunk] = [528, 16]
  const chunk = Buffer.from(`${'x'.repeat(2 ** 20 / rowsOfChunk - 1)}\n`.repeat(rowsOfChunk))
  async function* dump() {
    yield Buffer.from('-- above\nCOPY public.t (a) FROM stdin;\n')
    for (let at = 0; at < chunks; at += 1) yield chunk
    yield Buffer.from('\\.\nselect 1\n')
  }
  let [rows, held] = [0, 0]
  const read: unknown[] = []
  for await (const part of splitIntoParts(readNumberedLines(dump()))) {
    if (part.kind !== 'rows') read.push(part)
    else {
      rows += part.rows.length
      held = Math.max(
        held,
        part.rows.reduce((sum, { text }) => sum + text.length, 0),
      )
    }
  }
  expect({ rows, read }).toEqual({
    rows: chunks * rowsOfChunk,
    read: [{ kind: 'statement', line: 4 + chunks * rowsOfChunk, text: 'select 1' }],
  })
  expect(held).toBeLessThan(5 * 2 ** 20)
}, 30_000)
