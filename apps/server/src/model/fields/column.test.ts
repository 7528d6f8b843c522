import { describe, expect, it } from 'vitest'
import { sampleColumn } from '../../../testing/entities/sample-column.ts'
import { type Column, columnViolation } from './column.ts'

function buildSampleColumn(type: string, more: Partial<Column> = {}): Column {
  return sampleColumn('c', type, more)
}

describe('columnViolation', () => {
  it.each<[Column, unknown, string | null]>([
    [buildSampleColumn('int2'), '32767', null],
    [buildSampleColumn('int2'), '32768', 'value'],
    [buildSampleColumn('int4'), '-2147483648', null],
    [buildSampleColumn('int4'), 2147483648, 'value'],
    [buildSampleColumn('int8'), '9223372036854775807', null],
    [buildSampleColumn('int8'), '9223372036854775808', 'value'],
    [buildSampleColumn('int8'), '1.0', 'value'],
    [buildSampleColumn('int8'), '', 'value'],
    [buildSampleColumn('numeric', { precision: 5, scale: 1 }), '9999.9', null],
    [buildSampleColumn('numeric', { precision: 5, scale: 1 }), '10000', 'value'],
    [buildSampleColumn('numeric', { precision: 5, scale: 1 }), '1.25', 'value'],
    [buildSampleColumn('numeric', { precision: 5, scale: 1 }), '-0001.50', null],
    [buildSampleColumn('numeric'), '123456789012345678901234567890.5', null],
    [buildSampleColumn('numeric'), '1e5', 'value'],
    [buildSampleColumn('varchar', { length: 3 }), 'abc', null],
    [buildSampleColumn('varchar', { length: 3 }), '😀😀😀', null],
    [buildSampleColumn('varchar', { length: 3 }), 'abcd', 'maxLength'],
    [buildSampleColumn('text'), 'x'.repeat(10_000), null],
    [buildSampleColumn('text'), 'a\u0000', 'value'],
    [buildSampleColumn('date'), '0000-01-01', 'value'],
    [buildSampleColumn('date'), '2026-01-01', null],
    [buildSampleColumn('date'), '2026-02-29', 'value'],
    [buildSampleColumn('date'), 'never', 'value'],
    [buildSampleColumn('timestamp'), '2026-01-01 23:59:59', null],
    [buildSampleColumn('timestamp'), '2026-01-01 24:00', 'value'],
    [buildSampleColumn('time'), '07:30', null],
    [buildSampleColumn('time'), '7', 'value'],
    [buildSampleColumn('jsonb'), '["a"]', null],
    [buildSampleColumn('jsonb'), '[', 'value'],
    [buildSampleColumn('bool'), true, null],
    [buildSampleColumn('bool'), 'x', 'value'],
    [buildSampleColumn('uuid'), '550e8400-e29b-41d4-a716-446655440000', null],
    [buildSampleColumn('uuid'), 'x', 'value'],
    [buildSampleColumn('_text'), ['a', 'b'], null],
    [buildSampleColumn('_text'), ['a\u0000'], 'value'],
    [buildSampleColumn('_int8'), ['1', 'x'], 'value'],
    [buildSampleColumn('_text'), 'a', 'value'],
    [buildSampleColumn('text'), ['a'], 'value'],
    [buildSampleColumn('float8'), '1.5', null],
    [buildSampleColumn('money'), '1', null],
    [buildSampleColumn('bytea'), '1', 'value'],
    [buildSampleColumn('inet', { sqlType: 'inet' }), 'any text', null],
    [buildSampleColumn('inet', { sqlType: 'inet' }), 'a\u0000', 'value'],
    [buildSampleColumn('int4'), null, null],
  ])('%j %j is %j', (into, value, expected) => expect(columnViolation(value, into)).toBe(expected))
  it('checks any input quickly', () => {
    const hostile = '9'.repeat(100_000)
    const started = performance.now()
    for (const type of ['int8', 'numeric', 'float8', 'uuid', 'date', 'text', 'varchar'])
      columnViolation(
        `${hostile}!`,
        buildSampleColumn(type, { length: 10, precision: 5, scale: 1 }),
      )
    expect(performance.now() - started).toBeLessThan(200)
  })
})
