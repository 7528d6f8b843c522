// @vitest-environment happy-dom
import { flushSync } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Popover } from './popover.tsx'

let root: Root
function findById(id: string): HTMLElement {
  return (
    document.querySelector<HTMLElement>(`#${id}`) ?? expect.fail(`no element with the id ${id}`)
  )
}
const waitForClosed = () =>
  vi.waitFor(() => expect(document.querySelector('#inside')).toBeNull(), { timeout: 45_000 })

beforeEach(async () => {
  const box = document.body.appendChild(document.createElement('div'))
  root = createRoot(box)
  flushSync(() =>
    root.render(
      <>
        <Popover content={<button type="button" id="inside" />}>
          <button type="button" id="opener" />
        </Popover>
        <input id="elsewhere" />
      </>,
    ),
  )
  findById('opener').focus()
  findById('opener').click()
  await vi.waitFor(() => findById('inside'), { timeout: 45_000 })
  findById('inside').focus()
  findById('opener').click()
})
afterEach(() => {
  root.unmount()
  document.body.replaceChildren()
})

it('returns the focus to the element that had it before', async () => {
  await waitForClosed()
  expect(document.activeElement?.id).toBe('opener')
})

it('leaves the focus alone if the user moved it while the popover faded out', async () => {
  findById('elsewhere').focus()
  await waitForClosed()
  expect(document.activeElement?.id).toBe('elsewhere')
})

it('closes on an Escape that comes before the focus is in it', async () => {
  await waitForClosed()
  findById('opener').click()
  await vi.waitFor(() => findById('inside'), { timeout: 45_000 })
  findById('opener').dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
  await waitForClosed()
  expect(document.activeElement?.id).toBe('opener')
})
