// @vitest-environment happy-dom
import type { Field } from '@jiaowu/api/entity/config'
import type { WireValue } from '@jiaowu/api/entity/values'
import { act, useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findFieldSurface } from '../../apps/web/src/fields/index.tsx'
import { changeSettings } from '../../apps/web/src/app/settings.ts'
import { formConfig } from '../machines/entity-form/model.ts'
import { findPageField } from '../surfaces/web/dom/by-role.ts'
import { enter, leave } from '../surfaces/web/dom/dom.ts'
import { wrapData, heldFetch } from '../surfaces/web/http/held-fetch.ts'
import { inConsole } from '../surfaces/web/screen.tsx'

const fee: Field = {
  ...(formConfig.fields[0] as Field),
  uiType: 'inputNumber',
  options: { money: 'fen' },
  queryType: 'equal',
}
const { Control, Query, Show } = findFieldSurface('inputNumber')
let root: Root
let value: unknown
beforeEach(() => {
  changeSettings({ locale: 'zh-CN' })
  root = createRoot(document.body.appendChild(document.createElement('div')))
})
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
})

function FormBox() {
  const [held, setHeld] = useState<WireValue>(1250)
  const change = (next: WireValue) => {
    value = next
    setHeld(next)
  }
  return (
    <>
      <label htmlFor="fee">学费</label>
      <Control
        tag="A"
        field={fee}
        id="fee"
        value={held}
        disabled={false}
        invalid={false}
        describedBy={undefined}
        values={{}}
        rowId={null}
        onChange={change}
        onBlur={() => {}}
      />
    </>
  )
}

function QueryBox() {
  const [held, setHeld] = useState<unknown>(['1250', null])
  return (
    <>
      <label id="fee-label" htmlFor="fee">
        学费
      </label>
      <Query
        tag="A"
        field={{ ...fee, queryType: 'between' }}
        id="fee"
        value={held}
        queries={{}}
        nameOf={() => undefined}
        onChange={(next) => {
          value = next
          setHeld(next)
        }}
      />
    </>
  )
}

const findAmountInput = () => findPageField('学费').all()[0] as HTMLInputElement
function show(element: React.ReactElement) {
  const fetch = heldFetch(
    () => null,
    () => wrapData(null),
  )
  act(() => root.render(inConsole(fetch, element)))
}

it('a form shows an amount in yuan, keeps what is typed until the field is left, and holds fen', () => {
  show(<FormBox />)
  expect(findAmountInput().value).toBe('12.50')
  act(() => void enter(findAmountInput(), '1,200'))
  expect([findAmountInput().value, value]).toEqual(['1,200', 120_000])
  act(() => void leave(findAmountInput()))
  expect(findAmountInput().value).toBe('1200.00')
  act(() => void enter(findAmountInput(), '12.345'))
  act(() => void leave(findAmountInput()))
  expect([findAmountInput().value, value]).toEqual(['12.345', '12.345'])
  act(() => void enter(findAmountInput(), ''))
  expect(value).toBeNull()
})

it('a filter shows the fen of an address in yuan, and asks in fen', () => {
  show(<QueryBox />)
  const [from, to] = [...document.querySelectorAll('input')]
  expect([from?.value, to?.value]).toEqual(['12.50', ''])
  act(() => void enter(to as HTMLInputElement, '￥30'))
  expect(value).toEqual(['1250', 3000])
})

it('a detail page shows yuan with thousands', () => {
  show(<Show tag="A" field={fee} value={123_456_789} row={{ id: '1' }} />)
  expect(document.body.textContent).toContain('1,234,567.89')
})
