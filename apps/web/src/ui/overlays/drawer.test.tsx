// @vitest-environment happy-dom
import { flushSync } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Drawer } from './drawer.tsx'

let root: Root
const closed = { below: vi.fn<() => void>(), above: vi.fn<() => void>() }

const drawer = (label: keyof typeof closed) => (
  <Drawer key={label} isOpen label={label} size="" className="" onClose={closed[label]}>
    <input id={label} />
  </Drawer>
)
const render = (...labels: (keyof typeof closed)[]) =>
  flushSync(() => root.render(<>{labels.map((label) => drawer(label))}</>))
const pressKey = (target: EventTarget, key: string) =>
  target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))

beforeEach(() => {
  root = createRoot(document.body.appendChild(document.createElement('div')))
})
afterEach(() => {
  root.unmount()
  document.body.replaceChildren()
  vi.clearAllMocks()
})

it('closes on an Escape that comes before the focus has moved into it', () => {
  render('below')
  pressKey(document.body, 'a')
  expect(closed.below).not.toHaveBeenCalled()
  pressKey(document.body, 'Escape')
  expect(closed.below).toHaveBeenCalledOnce()
})

it('closes only the drawer on top', () => {
  render('below', 'above')
  pressKey(document.body, 'Escape')
  expect(closed.above).toHaveBeenCalledOnce()
  expect(closed.below).not.toHaveBeenCalled()
})

it('closes once on an Escape inside', async () => {
  render('below')
  const input = await vi.waitFor(
    () => document.querySelector('#below') ?? expect.fail('no input in the drawer'),
    { timeout: 45_000 },
  )
  pressKey(input, 'Escape')
  expect(closed.below).toHaveBeenCalledOnce()
})
