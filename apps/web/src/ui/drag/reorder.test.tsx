// @vitest-environment happy-dom
import { useState } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { placeAt, useReorder } from './reorder.ts'

it('moves a row past a neighbour once the pointer is beyond the middle of that neighbour', () => {
  const rows = [0, 20, 40].map((top) => ({ top, height: 20 }))
  expect([-5, 9, 11, 29, 31, 49, 51, 500].map((y) => placeAt(rows, y))).toEqual([
    0, 0, 1, 1, 2, 2, 2, 2,
  ])
})

describe('dragging a row by its grip', () => {
  let root: Root
  const ended = vi.fn<(kept: boolean) => void>()
  const heard = vi.fn<(event: object) => void>()
  const List = () => {
    const [order, setOrder] = useState(['a', 'b', 'c'])
    const { held, list, grip } = useReorder(
      (from, to) => setOrder((now) => now.toSpliced(from, 1).toSpliced(to, 0, now[from] ?? '')),
      ended,
    )
    return (
      <ul ref={list} onKeyDown={heard} onClick={heard}>
        {order.map((name, index) => (
          <li key={name} className={held === index ? 'is-held' : ''} {...grip(index)}>
            {name}
          </li>
        ))}
      </ul>
    )
  }
  const rows = () =>
    [...document.querySelectorAll('li')]
      .map(({ textContent, className }) => `${textContent ?? ''}${className === '' ? '' : '*'}`)
      .join(' ')
  const pointer = (
    type: string,
    clientY: number,
    target: EventTarget = document.body,
    button = 0,
  ) =>
    flushSync(() => {
      target.dispatchEvent(new PointerEvent(type, { bubbles: true, button, clientX: 0, clientY }))
    })
  const row = () => document.querySelectorAll('li')[0] ?? expect.fail('the list has no rows')

  beforeEach(() => {
    vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function measurePlace(
      this: Element,
    ) {
      return new DOMRect(0, 20 * [...(this.parentElement?.children ?? [])].indexOf(this), 100, 20)
    })
    root = createRoot(document.body.appendChild(document.createElement('div')))
    flushSync(() => root.render(<List />))
  })
  afterEach(() => {
    root.unmount()
    document.body.replaceChildren()
    vi.restoreAllMocks()
    ended.mockClear()
    heard.mockClear()
  })

  it('moves the row one place per pointer event, keeps it where it is dropped, and suppresses the click', () => {
    pointer('pointerdown', 10, row())
    expect(rows()).toBe('a* b c')
    pointer('pointermove', 55)
    expect(rows()).toBe('b a* c')
    pointer('pointermove', 55)
    pointer('pointerup', 55)
    row().click()
    expect([rows(), ended.mock.calls, heard.mock.calls.length]).toEqual(['b c a', [[true]], 0])
  })
  it.each([
    [
      'Escape',
      () => {
        row().dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
      },
    ],
    ['a system gesture', () => pointer('pointercancel', 55)],
  ])('moves the row back when %s cancels the drag, and stops the event', (_what, take) => {
    pointer('pointerdown', 10, row())
    pointer('pointermove', 55)
    pointer('pointermove', 55)
    expect(rows()).toBe('b c a*')
    flushSync(take)
    expect([rows(), ended.mock.calls, heard.mock.calls.length]).toEqual(['a b c', [[false]], 0])
    pointer('pointermove', 55)
    pointer('pointerup', 55)
    expect([rows(), ended.mock.calls.length]).toEqual(['a b c', 1])
  })
  it('ignores movements below the threshold and other mouse buttons', () => {
    pointer('pointerdown', 18, row())
    pointer('pointermove', 22)
    expect(rows()).toBe('a* b c')
    pointer('pointerup', 22)
    pointer('pointerdown', 10, row(), 2)
    pointer('pointermove', 55)
    expect([rows(), ended.mock.calls]).toEqual(['a b c', [[false]]])
  })
})
