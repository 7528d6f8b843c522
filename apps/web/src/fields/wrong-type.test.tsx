// @vitest-environment happy-dom
import { holdsValue, kindOf, type UiType } from '@jiaowu/api'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { expect, it } from 'vitest'
import { changeSettings } from '../shell/context/settings.ts'
import { surfaceOf } from './index.tsx'
import { WrongType } from './wrong-type.tsx'

it('says of a kind nobody knows that the form type is wrong, and lets the rest of the form work', () => {
  const unknown = 'colour' as UiType
  expect([kindOf(unknown).family, holdsValue(unknown), surfaceOf(unknown).Show]).toEqual([
    'layout',
    false,
    WrongType,
  ])
  const box = document.createElement('div')
  const root = createRoot(box)
  flushSync(() => root.render(<WrongType field={{ uiLabel: '颜色' }} />))
  const said = (locale: 'zh-CN' | 'en') => {
    flushSync(() => changeSettings({ locale }))
    return box.querySelector('[role=alert]')?.textContent
  }
  expect([said('zh-CN'), said('en')]).toEqual([
    '颜色: 表单类型传入错误',
    '颜色: Form type passed incorrectly',
  ])
  root.unmount()
})
