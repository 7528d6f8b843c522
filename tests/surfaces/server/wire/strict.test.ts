import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { unknownKeys } from './strict.ts'

const schema = v.object({
  records: v.array(
    v.object({ id: v.string(), more: v.optional(v.nullable(v.object({ x: v.number() }))) }),
  ),
  total: v.pipe(v.number(), v.minValue(0)),
  open: v.looseObject({ a: v.string() }),
})
const good = {
  records: [
    { id: '1', more: { x: 1 } },
    { id: '2', more: null },
  ],
  total: 2,
  open: { a: 'a', b: 'b' },
}

describe('keys that a schema does not name', () => {
  test('are none in an answer that fits, whatever an open part holds', () => {
    expect(unknownKeys(schema, good)).toEqual([])
  })
  test('are named by their path at any depth', () => {
    expect(
      unknownKeys(schema, {
        ...good,
        extra: 1,
        records: [
          { id: '1', odd: 1 },
          { id: '2', more: { x: 1, y: 2 } },
        ],
      }),
    ).toEqual(['records[0].odd', 'records[1].more.y', 'extra'])
  })
  test('are those of the option that fits, of pipes and of lazy parts', () => {
    const either = v.union([v.object({ a: v.string() }), v.array(v.object({ b: v.string() }))])
    expect(unknownKeys(either, [{ b: 'b', c: 'c' }])).toEqual(['[0].c'])
    expect(
      unknownKeys(
        v.pipe(
          v.object({ a: v.string() }),
          v.check(() => true),
        ),
        { a: 'a', z: 1 },
      ),
    ).toEqual(['z'])
    expect(
      unknownKeys(
        v.record(
          v.string(),
          v.lazy(() => v.object({ a: v.string() })),
        ),
        { k: { a: 'a', z: 1 } },
      ),
    ).toEqual(['k.z'])
  })
})
