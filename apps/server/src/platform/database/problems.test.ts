import pg from 'pg'
import { expect, it } from 'vitest'
import { brokenConstraint, isMovedShard } from './problems.ts'

const buildThrown = (message: string, fields: Partial<pg.DatabaseError> = {}) =>
  Object.assign(new pg.DatabaseError(message, message.length, 'error'), fields)

it('takes the constraint from the fields of an error', () => {
  const error = buildThrown('duplicate key value violates unique constraint "other"', {
    code: '23505',
    schema: 'biz',
    table: 'student',
    constraint: 'biz_student_student_no_key',
  })
  expect(brokenConstraint(error)).toEqual({
    kind: 'unique',
    schema: 'biz',
    table: 'student',
    constraint: 'biz_student_student_no_key',
  })
})

it.each([
  [
    'duplicate key value violates unique constraint "biz_student_student_no_key_102073"',
    { kind: 'unique', constraint: 'biz_student_student_no_key' },
  ],
  [
    'insert or update on table "grade_102090" violates foreign key constraint "grade_student_id_fkey_102090"',
    { kind: 'foreignKey', table: 'grade', constraint: 'grade_student_id_fkey', isHeld: false },
  ],
  [
    'new row for relation "report_102110" violates check constraint "report_price_check"',
    { kind: 'check', table: 'report', constraint: 'report_price_check' },
  ],
  [
    'null value in column "name" of relation "student_102073" violates not-null constraint',
    { kind: 'notNull', table: 'student', column: 'name' },
  ],
])('reads the sentence of a worker without the fields: %s', (sentence, expected) => {
  const { kind } = expected
  const code = { unique: '23505', foreignKey: '23503', check: '23514', notNull: '23502' }[kind]
  expect(brokenConstraint(buildThrown(sentence, { code }))).toEqual(expected)
  // An `insert … select` loses the SQLSTATE too.
  expect(brokenConstraint(buildThrown(sentence, { code: 'XX000' }))).toEqual(expected)
})

it('takes no other error for a broken constraint', () => {
  expect(
    brokenConstraint(buildThrown('relation "biz.nothing" does not exist', { code: '42P01' })),
  ).toBe(undefined)
  expect(brokenConstraint(new Error('violates unique constraint "a"'))).toBe(undefined)
})

it.each([
  ['relation "biz.student_102073" does not exist', '42P01', true],
  ['could not find valid entry for shard 102073', 'XX000', true],
  ['relation "biz.student" does not exist', '42P01', false],
  ['could not open file', 'XX000', false],
])('knows a shard that a cluster moved meanwhile: %s', (sentence, code, expected) => {
  expect(isMovedShard(buildThrown(sentence, { code }))).toBe(expected)
})
