import { expect, it } from 'vitest'
import { renameRowProperties } from './rename.ts'

const upper = (name: string) => name.toUpperCase()

it.each([
  ["row.idCard == 'x'", "row.IDCARD == 'x'"],
  ['row . a in [row["b"], user.row.c]', 'row .A in [row.B, user.row.c]'],
  ["not (row['a b'] == row.c) and true", 'not (row["A B"] == row.C) and true'],
  ["'row.a' == row.a", "'row.a' == row.A"],
  ['row == null', 'row == null'],
  ['row[row.a] == 1', 'row[row.A] == 1'],
  ['row.a.b == 1', 'row.A.b == 1'],
])('renames what %s reads from the row', (source, expected) => {
  expect(renameRowProperties(source, upper)).toBe(expected)
})

it('keeps an expression that does not parse', () => {
  expect(renameRowProperties('row.a ==', upper)).toBe('row.A ==')
  expect(() => renameRowProperties("row.a == 'x", upper)).toThrow('unfinished')
})
