// @vitest-environment happy-dom
import { flushSync } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Notices, NoticeContext } from '../../app/notice-context.ts'
import { type Texts, TextContext } from '../../app/text-context.ts'
import { Unsaved, UnsavedContext } from '../../app/unsaved.ts'
import { CancelButton } from './cancel-button.tsx'
import { Dialog } from './dialog.tsx'
import { Drawer } from './drawer.tsx'

const onClose = vi.fn<() => void>()
const confirm = vi.fn<Notices['confirm']>()
const report = vi.fn<(editor: string, isUnsaved: boolean) => void>()
const texts = { t: (key: string) => key } as Partial<Texts> as Texts
const notices = { confirm } as Partial<Notices> as Notices
let root: Root

const overlays = {
  drawer: (when: boolean, guards: boolean) => (
    <Drawer isOpen title="A" size="" className="" onClose={onClose} guards={guards}>
      <Unsaved when={when} />
      <input />
      <CancelButton onClick={() => onClose()} />
    </Drawer>
  ),
  dialog: (when: boolean, guards: boolean) => (
    <Dialog isOpen title="A" className="" onClose={() => onClose()} guards={guards}>
      <Unsaved when={when} />
      <input />
      <CancelButton onClick={() => onClose()} />
    </Dialog>
  ),
}
const waitForElement = (selector: string) =>
  vi.waitFor(() => document.querySelector(selector) ?? expect.fail(`no ${selector}`), {
    timeout: 45_000,
  })
/** The ways out of an overlay. */
const ways = {
  Escape: async () => {
    const input = await waitForElement('input')
    const init = { key: 'Escape', bubbles: true, cancelable: true }
    input.dispatchEvent(new KeyboardEvent('keydown', init))
  },
  cross: async () => {
    const cross = await waitForElement('[class*=dialog-close-button]')
    cross.dispatchEvent(new MouseEvent('click', { bubbles: true }))
  },
  'its cancel button': async () => {
    await waitForElement('input')
    const buttons = [...document.querySelectorAll('button')]
    const cancel = buttons.find(({ textContent }) => textContent === 'common.cancel')
    cancel?.dispatchEvent(new MouseEvent('click', { bubbles: true }))
  },
  'click beside it': async () => {
    const beside = await waitForElement('[class*=overlay-backdrop], [class*=dialog-container]')
    beside.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }))
  },
}
const cases = Object.keys(overlays).flatMap((overlay) =>
  Object.keys(ways).map((way) => ({ overlay, way }) as never as Case),
)
interface Case {
  readonly overlay: keyof typeof overlays
  readonly way: keyof typeof ways
}

function render(overlay: Case['overlay'], when: boolean, guards = true): void {
  flushSync(() =>
    root.render(
      <TextContext value={texts}>
        <NoticeContext value={notices}>
          <UnsavedContext value={{ report, isOpen: () => true }}>
            {overlays[overlay](when, guards)}
          </UnsavedContext>
        </NoticeContext>
      </TextContext>,
    ),
  )
}

beforeEach(() => {
  root = createRoot(document.body.appendChild(document.createElement('div')))
})
afterEach(() => {
  root.unmount()
  document.body.replaceChildren()
  vi.resetAllMocks()
})

it.each(cases)('a $overlay with nothing unsaved closes at once by $way', async (each) => {
  render(each.overlay, false)
  await ways[each.way]()
  expect(onClose).toHaveBeenCalledOnce()
  expect(confirm).not.toHaveBeenCalled()
})

it.each(cases)(
  'a $overlay with unsaved input asks first by $way, and stays on No',
  async (each) => {
    confirm.mockResolvedValueOnce(false)
    render(each.overlay, true)
    await vi.waitFor(() => expect(report).toHaveBeenCalledWith(expect.any(String), true), {
      timeout: 45_000,
    })
    await ways[each.way]()
    expect(confirm).toHaveBeenCalledOnce()
    await Promise.resolve()
    expect(onClose).not.toHaveBeenCalled()
    confirm.mockResolvedValueOnce(true)
    await ways[each.way]()
    await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce(), { timeout: 45_000 })
  },
)

it.each(cases)('a $overlay that asks by itself is not asked about twice by $way', async (each) => {
  render(each.overlay, true, false)
  await ways[each.way]()
  expect(onClose).toHaveBeenCalledOnce()
  expect(confirm).not.toHaveBeenCalled()
})
