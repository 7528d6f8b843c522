// @vitest-environment happy-dom
import type { Field } from '@jiaowu/api/entity/config'
import { act, useState } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { DateQuery, DateTimeQuery } from '../../apps/web/src/fields/date-controls.tsx'
import { changeSettings } from '../../apps/web/src/app/settings.ts'
import { formConfig } from '../machines/entity-form/model.ts'
import { byRole, findPageField } from '../surfaces/web/dom/by-role.ts'
import { enter, leave } from '../surfaces/web/dom/dom.ts'
import { wrapData, heldFetch } from '../surfaces/web/http/held-fetch.ts'
import { inConsole } from '../surfaces/web/screen.tsx'
import { zh } from '../surfaces/web/dom/sentences.ts'

const day: Field = { ...(formConfig.fields[0] as Field), queryType: 'equal' }
let root: Root
let value: unknown
beforeEach(() => {
  value = null
  changeSettings({ locale: 'zh-CN' })
  root = createRoot(document.body.appendChild(document.createElement('div')))
})
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
})

function Box({ Query }: { readonly Query: typeof DateQuery }) {
  const [held, setHeld] = useState<unknown>(null)
  return (
    <>
      <label htmlFor="day">入学日期</label>
      <Query
        tag="A"
        field={day}
        id="day"
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
const findDateInput = () => findPageField('入学日期').all()[0] as HTMLInputElement
const readAlertText = () => byRole('alert').all()[0]?.textContent ?? ''

function type(Query: typeof DateQuery, text: string) {
  act(() =>
    root.render(
      inConsole(
        heldFetch(
          () => null,
          () => wrapData(null),
        ),
        <Box Query={Query} />,
      ),
    ),
  )
  act(() => void enter(findDateInput(), text))
  act(() => void leave(findDateInput()))
}

it.each([
  ['20240901', '2024-09-01'],
  ['2024.9.1', '2024-09-01'],
])('a filter by day reads %s', (text, read) => {
  type(DateQuery, text)
  expect([value, findDateInput().value, readAlertText()]).toEqual([read, read, ''])
})

it.each([DateQuery, DateTimeQuery])('a filter keeps and marks text that is no date', (Query) => {
  type(Query, '明天')
  expect([value, findDateInput().value, readAlertText()]).toEqual([
    '明天',
    '明天',
    zh('field.noDate'),
  ])
  expect(findDateInput().getAttribute('aria-invalid')).toBe('true')
  act(() => void enter(findDateInput(), ''))
  expect([value, readAlertText()]).toEqual([null, ''])
})
