import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { networkProblem, problemOfReply, problemText, toProblem } from './problem.ts'

const report = vi.fn()
beforeEach(() => vi.stubGlobal('reportError', report))
afterEach(() => {
  vi.unstubAllGlobals()
  report.mockClear()
})

const fail = (name: string, message: string, more = {}) =>
  Object.assign(new Error(message), { name, ...more })

it.each([
  networkProblem(),
  new TypeError('Failed to fetch'),
  new TypeError('fetch failed'),
  new TypeError('NetworkError when attempting to fetch resource.'),
  new TypeError('Load failed'),
  new TypeError('network error'),
  new TypeError('terminated'),
  new TypeError('The network connection was lost.'),
  new TypeError('Failed to fetch dynamically imported module: http://a/b.js'),
  new TypeError('Importing a module script failed.'),
  new DOMException('The user aborted a request.', 'AbortError'),
  new DOMException('signal timed out', 'TimeoutError'),
  fail('FetchError', '[POST] "/a": <no response> fetch failed'),
  fail('Error', 'read ECONNRESET', { code: 'ECONNRESET' }),
  fail('Error', 'socket', {
    cause: fail('Error', 'other side closed', { code: 'UND_ERR_SOCKET' }),
  }),
])('the network failed: %s', (error) => {
  expect(toProblem(error)).toMatchObject({
    kind: 'transport',
    message: { key: 'problem.network' },
  })
  expect(report).not.toHaveBeenCalled()
})

it.each([
  new TypeError("Cannot read properties of undefined (reading 'fetch')"),
  new TypeError('rows.network is not a function'),
  new RangeError('Invalid time value'),
  new Error('port not provided: save'),
  'a text',
  undefined,
])('the program failed: %s', (error) => {
  const problem = toProblem(error)
  expect(problem).toMatchObject({ kind: 'fault', message: { key: 'problem.fault' } })
  expect(problemText('zh-CN', problem)).toMatch(/程序出错.*已输入的内容都还在.*请重试/)
  expect(problemText('en', problem)).not.toMatch(/network/i)
  expect(report).toHaveBeenCalledExactlyOnceWith(error)
})

it('a fault that several machines tell is logged once', () => {
  const error = new TypeError('x is undefined')
  toProblem(error)
  toProblem(error)
  expect(report).toHaveBeenCalledOnce()
})

it('shows the id of the call with a refusal of the server', () => {
  const reply = { success: false, code: 403, msg: '抱歉', data: null, traceId: 'k3f92m8qx7ah' }
  const { problem } = problemOfReply(403, reply)
  expect(problemText('zh-CN', problem)).toBe('抱歉（编号 k3f92m8qx7ah）')
  expect(problemText('en', problem)).toBe('抱歉 (ref. k3f92m8qx7ah)')
  expect(problemText('zh-CN', problemOfReply(403, { ...reply, traceId: '' }).problem)).toBe('抱歉')
})
