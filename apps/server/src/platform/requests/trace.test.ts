import { expect, it } from 'vitest'
import { createTraceId, findTrace, inTrace, readTrace, traceHeaders } from './trace.ts'

const readSent = (headers: Record<string, string>) => readTrace(new Headers(headers))
const trace = '0af7651916cd43dd8448eb211c80319c'
const parent = `00-${trace}-b7ad6b7169203331-01`

it('takes the id of the caller, else that of the trace, else a new one', () => {
  expect(readSent({ 'x-request-id': 'proxy-1.2:3_4', traceparent: parent })).toEqual({
    id: 'proxy-1.2:3_4',
    parent: { trace, flags: '01' },
  })
  expect(readSent({ traceparent: parent }).id).toBe(trace)
  expect(readSent({}).id).toMatch(/^[a-z2-9]{12}$/)
  expect(createTraceId()).not.toBe(createTraceId())
})

it.each([
  ['too short', 'abc'],
  ['too long', 'a'.repeat(65)],
  ['other signs', 'a b c d e f g'],
  ['a line of its own', 'abcdefgh%0a{}'],
  ['a mobile', '13800000001'],
  ['an ID number', '110101199001010015'],
])('refuses an id: %s', (_why, id) => {
  expect(readSent({ 'x-request-id': id }).id).not.toBe(id)
})

it.each([
  ['version ff', `ff-${trace}-b7ad6b7169203331-01`],
  ['no trace', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`],
  ['no span', `00-${trace}-${'0'.repeat(16)}-01`],
  ['capitals', parent.toUpperCase()],
  ['cut', parent.slice(0, 40)],
])('refuses a traceparent: %s', (_why, traceparent) => {
  expect(readSent({ traceparent })).not.toHaveProperty('parent')
})

it('passes both on, as a span of its own, inside of a call alone', () => {
  expect(traceHeaders()).toEqual({})
  inTrace(readSent({ traceparent: parent }), () => {
    expect(findTrace()?.id).toBe(trace)
    const { traceparent = '', ...others } = traceHeaders()
    expect(others).toEqual({ 'x-request-id': trace })
    expect(traceparent).toMatch(new RegExp(`^00-${trace}-[0-9a-f]{16}-01$`))
    expect(traceparent).not.toBe(parent)
  })
})
