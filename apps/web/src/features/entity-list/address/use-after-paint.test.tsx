// @vitest-environment happy-dom
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { expect, it } from 'vitest'
import { type AfterPaint, useAfterPaint } from './use-after-paint.ts'

function AfterPaintPage({ onHook }: { readonly onHook: (hook: AfterPaint) => void }) {
  onHook(useAfterPaint())
  return null
}

it('runs work after a frame, in its order, and what waits when the page is left', async () => {
  const done: string[] = []
  const does = (name: string) => () => void done.push(name)
  const hooks: AfterPaint[] = []
  const root = createRoot(document.body)
  flushSync(() => root.render(<AfterPaintPage onHook={(hook) => hooks.push(hook)} />))
  const { later, flush } = hooks[0] ?? expect.fail('the page was not rendered')

  later(does('first'))
  expect(done).toEqual([])
  later(does('second'))
  expect(done).toEqual(['first'])
  await expect.poll(() => done).toEqual(['first', 'second'])
  expect(flush()).toBe(false)
  later(does('third'))
  expect(flush()).toBe(true)
  later(does('fourth'))
  flushSync(() => root.unmount())
  await expect.poll(() => done).toEqual(['first', 'second', 'third', 'fourth'])
})
