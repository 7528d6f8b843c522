import { expect, it } from 'vitest'
import { statementsOf } from './sql-script.ts'

const read = (script: string) => [...statementsOf(script)]

it('splits statements at semicolons outside of quotes, comments and bodies', () => {
  const script = `-- a comment; with a semicolon
create table a (x text default ';'); insert into a values ('it''s; one');
/* several
lines; */
create function f() returns int language plpgsql as $body$
begin
  return 1; -- inside
end $body$;
select "odd;name" from e, a where x = e'\\';' ;
select 1`
  expect(read(script).map(({ line, text }) => [line, text.slice(0, 22)])).toEqual([
    [1, '-- a comment; with a s'],
    [2, `insert into a values (`],
    [3, '/* several\nlines; */\nc'],
    [9, 'select "odd;name" from'],
    [10, 'select 1'],
  ])
})

it('takes the COPY blocks and psql lines of a plain dump', () => {
  const script = `\\restrict abc
SET client_encoding = 'UTF8';

COPY public.t (a, b) FROM stdin;
1\tone; two
2\t\\N
\\.

\\connect other
SELECT 2;
`
  expect(read(script)).toEqual([
    { line: 2, text: "SET client_encoding = 'UTF8';", rows: null },
    { line: 4, text: 'COPY public.t (a, b) FROM stdin;', rows: ['1\tone; two', '2\t\\N'] },
    { line: 10, text: 'SELECT 2;', rows: null },
  ])
})
