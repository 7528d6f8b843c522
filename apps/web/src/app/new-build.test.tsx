// @vitest-environment happy-dom
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { expect, it } from 'vitest'
import { noteBuild, useOutdated } from './new-build.ts'

function Shown() {
  return String(useOutdated())
}

it('knows another build by the header of any answer', () => {
  const box = document.createElement('div')
  const root = createRoot(box)
  flushSync(() => root.render(<Shown />))
  const note = (build?: string, own?: string) => {
    flushSync(() => noteBuild(new Headers(build === undefined ? {} : { 'x-build': build }), own))
    return box.textContent
  }
  expect([
    note('index-b'),
    note(undefined, 'index-a'),
    note('index-a', 'index-a'),
    note('index-b', 'index-a'),
    note('index-a', 'index-a'),
  ]).toEqual(['false', 'false', 'false', 'true', 'false'])
  root.unmount()
})
