import { expect, it } from 'vitest'
import { matchesTableName } from './match-table.ts'

it.each([
  ['edfi.student', 'student', true],
  ['edfi.student', 'EDFI', true],
  ['edfi.studentSchool', 'student*', true],
  ['edfi.gradeStudent', 'student*', false],
  ['edfi.student', 'edfi.*', true],
  ['auth.student', 'edfi.*', false],
  ['public.a+b', 'a+*', true],
  ['public.aab', 'a+*', false],
])('%s matches %s: %s', (table, pattern, isMatch) => {
  expect(matchesTableName(table, pattern)).toBe(isMatch)
})
