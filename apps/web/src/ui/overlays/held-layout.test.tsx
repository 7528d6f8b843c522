// @vitest-environment happy-dom
import { type ReactNode, useState } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useNarrowLayout } from '../../app/use-narrow.ts'
import { Dialog } from './dialog.tsx'
import { Drawer } from './drawer.tsx'

let root: Root
const layers = {
  drawer: (children: ReactNode) => (
    <Drawer isOpen label="a" size="" className="" onClose={() => undefined}>
      {children}
    </Drawer>
  ),
  dialog: (children: ReactNode) => (
    <Dialog isOpen label="a" className="" onClose={() => undefined}>
      {children}
    </Dialog>
  ),
}
type Kind = keyof typeof layers

/** A toolbar that is another component on a phone, each with its own layer. */
function Page({ kind, isOpen }: { readonly kind: Kind; readonly isOpen: boolean }) {
  return useNarrowLayout() ? (
    <Toolbar key="phone" name="phone" kind={kind} isOpen={isOpen} />
  ) : (
    <Toolbar key="wide" name="wide" kind={kind} isOpen={isOpen} />
  )
}
function Toolbar({
  name,
  kind,
  isOpen,
}: {
  readonly name: string
  readonly kind: Kind
  readonly isOpen: boolean
}) {
  const [typed, setTyped] = useState('')
  return (
    <div id="toolbar" title={name}>
      {isOpen
        ? layers[kind](
            <button id="type" type="button" onClick={() => setTyped('kept')}>
              {typed}
            </button>,
          )
        : null}
    </div>
  )
}

const { innerWidth, innerHeight } = window
const resize = (width: number, height = 800) =>
  flushSync(() => {
    const { happyDOM } = window as unknown as {
      happyDOM: { setViewport: (to: { width: number; height: number }) => void }
    }
    happyDOM.setViewport({ width, height })
  })
const render = (kind: Kind, isOpen: boolean) =>
  flushSync(() => root.render(<Page kind={kind} isOpen={isOpen} />))
const typeInLayer = async () => {
  const button = await vi.waitFor(() => {
    const found = document.querySelector<HTMLElement>('#type')
    if (found === null) throw new Error('not open')
    return found
  })
  flushSync(() => button.click())
  expect(button.textContent).toBe('kept')
}
const readToolbar = () => document.querySelector('#toolbar')?.getAttribute('title')

beforeEach(() => {
  resize(1440)
  root = createRoot(document.body.appendChild(document.createElement('div')))
})
afterEach(() => {
  flushSync(() => root.unmount())
  document.body.replaceChildren()
  // The window is that of the tests that follow.
  resize(innerWidth, innerHeight)
})

it.each(['drawer', 'dialog'] as const)(
  'an open %s keeps what is typed while the window changes, and the page follows when it closes',
  async (kind) => {
    render(kind, true)
    await typeInLayer()
    resize(390)
    expect(document.querySelector('#type')?.textContent).toBe('kept')
    expect(readToolbar()).toBe('wide')
    render(kind, false)
    expect(readToolbar()).toBe('phone')
    render(kind, true)
    await typeInLayer()
    resize(1440)
    expect(document.querySelector('#type')?.textContent).toBe('kept')
    render(kind, false)
    expect(readToolbar()).toBe('wide')
  },
)
