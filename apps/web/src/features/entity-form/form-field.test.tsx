// @vitest-environment happy-dom
import type { Field } from '@jiaowu/api/entity/config'
import { messageText } from '@jiaowu/api/texts/index'
import type { Values } from '@jiaowu/api/entity/values'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { expect, it } from 'vitest'
import { type Texts, TextContext } from '../../app/text-context.ts'
import { FormField } from './form-field.tsx'

const texts = {
  locale: 'zh-CN',
  messageText: (message) => (typeof message === 'string' ? message : messageText('zh-CN', message)),
} as Partial<Texts> as Texts
const score = {
  attrName: 'score',
  uiLabel: '成绩',
  uiType: 'inputNumber',
  uiWidth: 50,
  valids: { min: 0, max: 'row.course.fullMark' },
  options: {},
} as Field
const course = (fullMark: number): Values => ({
  course: [{ id: '1', name: '高等数学', values: { fullMark } }],
})

it('says beside a number what it can be in this row, also to readers of screens', () => {
  const box = document.createElement('div')
  const root = createRoot(box)
  const render = (values: Values, fault: string | null, editing: 'editable' | 'readonly') => {
    flushSync(() =>
      root.render(
        <TextContext value={texts}>
          <FormField
            tag="EDU_GRADE"
            formId="f"
            view={{ field: score, editing, value: 70, fault, warning: null, pinned: null }}
            showing={false}
            row={null}
            rowId={null}
            values={values}
            onChange={() => {}}
            onBlur={() => {}}
          />
        </TextContext>,
      ),
    )
    const ids = box.querySelector('input')?.getAttribute('aria-describedby')?.split(' ') ?? []
    return ids.map((id) => box.querySelector(`#${id}`)?.textContent)
  }
  expect(render(course(150), null, 'editable')).toEqual(['0 至 150'])
  expect(render(course(100), '不能大于 100', 'editable')).toEqual(['不能大于 100', '0 至 100'])
  expect(render({}, null, 'editable')).toEqual(['0 及以上'])
  expect(render(course(100), null, 'readonly')).toEqual([])
  root.unmount()
})
