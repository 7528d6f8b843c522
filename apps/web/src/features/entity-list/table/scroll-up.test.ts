import { limits } from '@jiaowu/api/limits'
import { Window } from 'happy-dom'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { scrollUp } from './scroll-up.ts'

const window = new Window()
let reduced = false

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  vi.stubGlobal('requestAnimationFrame', (draw: FrameRequestCallback) =>
    setTimeout(() => draw(performance.now()), 16),
  )
  vi.stubGlobal('cancelAnimationFrame', clearTimeout)
  vi.stubGlobal('matchMedia', () => ({ matches: reduced }))
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window))
  vi.stubGlobal('removeEventListener', window.removeEventListener.bind(window))
  vi.stubGlobal('document', window.document)
  vi.stubGlobal('getComputedStyle', window.getComputedStyle.bind(window))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  reduced = false
})

function makeTable() {
  const panel = window.document.createElement('div')
  panel.innerHTML = '<div class="jw-table-wrap"></div>'
  const table = panel.querySelector('.jw-table-wrap')
  if (table === null) throw new Error('no table')
  table.scrollTop = 1000
  return { panel: panel as unknown as HTMLElement, table }
}

it('takes 800 ms to the first row', () => {
  const { panel, table } = makeTable()
  scrollUp(panel)
  vi.advanceTimersByTime(limits.scrollToTop / 2)
  expect(table.scrollTop).toBeGreaterThan(300)
  expect(table.scrollTop).toBeLessThan(700)
  vi.advanceTimersByTime(limits.scrollToTop / 2 - 50)
  expect(table.scrollTop).toBeGreaterThan(0)
  vi.advanceTimersByTime(100)
  expect(table.scrollTop).toBe(0)
})

it('stops for whoever scrolls meanwhile', () => {
  const { panel, table } = makeTable()
  scrollUp(panel)
  vi.advanceTimersByTime(limits.scrollToTop / 2)
  const { scrollTop } = table
  window.dispatchEvent(new window.Event('wheel'))
  vi.advanceTimersByTime(limits.scrollToTop)
  expect(table.scrollTop).toBe(scrollTop)
})

it('is there at once for those who want no motion', () => {
  reduced = true
  const { panel, table } = makeTable()
  scrollUp(panel)
  expect(table.scrollTop).toBe(0)
})
