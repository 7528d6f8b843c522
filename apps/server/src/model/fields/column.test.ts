import { describe, expect, it } from 'vitest'
import { sampleColumn } from '../../../testing/entities/sample-column.ts'
import { type Column, columnViolation } from './column.ts'

function column(type: string, more: Partial<Column> = {}): Column {
  return sampleColumn('c', type, more)
}

describe('columnViolation', () => {
  it.each<[Column, unknown, string | null]>([
    [column('int2'), '32767', null],
    [column('int2'), '32768', 'value'],
    [column('int4'), '-2147483648', null],
    [column('int4'), 2147483648, 'value'],
    [column('int8'), '9223372036854775807', null],
    [column('int8'), '9223372036854775808', 'value'],
    [column('int8'), '1.0', 'value'],
    [column('int8'), '', 'value'],
    [column('numeric', { precision: 5, scale: 1 }), '9999.9', null],
    [column('numeric', { precision: 5, scale: 1 }), '10000', 'value'],
    [column('numeric', { precision: 5, scale: 1 }), '1.25', 'value'],
    [column('numeric', { precision: 5, scale: 1 }), '-0001.50', null],
    [column('numeric'), '123456789012345678901234567890.5', null],
    [column('numeric'), '1e5', 'value'],
    [column('varchar', { length: 3 }), 'abc', null],
    [column('varchar', { length: 3 }), '😀😀😀', null],
    [column('varchar', { length: 3 }), 'abcd', 'maxLength'],
    [column('text'), 'x'.repeat(10_000), null],
    [column('text'), 'a\u0000', 'value'],
    [column('date'), '0000-01-01', 'value'],
    [column('date'), '2026-01-01', null],
    [column('date'), '2026-02-29', 'value'],
    [column('date'), 'never', 'value'],
    [column('timestamp'), '2026-01-01 23:59:59', null],
    [column('timestamp'), '2026-01-01 24:00', 'value'],
    [column('time'), '07:30', null],
    [column('time'), '7', 'value'],
    [column('jsonb'), '["a"]', null],
    [column('jsonb'), '[', 'value'],
    [column('bool'), true, null],
    [column('bool'), 'x', 'value'],
    [column('uuid'), '550e8400-e29b-41d4-a716-446655440000', null],
    [column('uuid'), 'x', 'value'],
    [column('_text'), ['a', 'b'], null],
    [column('_text'), ['a\u0000'], 'value'],
    [column('_int8'), ['1', 'x'], 'value'],
    [column('_text'), 'a', 'value'],
    [column('text'), ['a'], 'value'],
    [column('float8'), '1.5', null],
    [column('money'), '1', null],
    [column('bytea'), '1', 'value'],
    [column('inet', { sqlType: 'inet' }), 'any text', null],
    [column('inet', { sqlType: 'inet' }), 'a\u0000', 'value'],
    [column('int4'), null, null],
  ])('%j %j is %j', (into, value, expected) => expect(columnViolation(value, into)).toBe(expected))
  it('checks any input quickly', () => {
    const hostile = '9'.repeat(100_000)
    const started = performance.now()
    for (const type of ['int8', 'numeric', 'float8', 'uuid', 'date', 'text', 'varchar'])
      columnViolation(`${hostile}!`, column(type, { length: 10, precision: 5, scale: 1 }))
    expect(performance.now() - started).toBeLessThan(200)
  })
})
