// @vitest-environment happy-dom
import { holdsValue, findKind } from '@jiaowu/api/fields/kinds'
import type { UiType } from '@jiaowu/api/entity/enums'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { expect, it } from 'vitest'
import { changeSettings } from '../app/settings.ts'
import { findFieldSurface } from './index.tsx'
import { WrongType } from './wrong-type.tsx'

it('shows an error for an unknown field kind and leaves the rest of the form working', () => {
  const unknown = 'colour' as UiType
  expect([findKind(unknown).family, holdsValue(unknown), findFieldSurface(unknown).Show]).toEqual([
    'layout',
    false,
    WrongType,
  ])
  const box = document.createElement('div')
  const root = createRoot(box)
  flushSync(() => root.render(<WrongType field={{ uiLabel: '颜色' }} />))
  const alertIn = (locale: 'zh-CN' | 'en') => {
    flushSync(() => changeSettings({ locale }))
    return box.querySelector('[role=alert]')?.textContent
  }
  expect([alertIn('zh-CN'), alertIn('en')]).toEqual([
    '颜色: 表单类型传入错误',
    '颜色: Form type passed incorrectly',
  ])
  root.unmount()
})
