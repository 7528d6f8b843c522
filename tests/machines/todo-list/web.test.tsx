// @vitest-environment happy-dom
import { gateWeb } from '../../surfaces/web/gate-web.tsx'
import { todoListWeb } from './web.tsx'

gateWeb(todoListWeb, {
  survivors: {
    'jw-calm button 关闭': 'a second way to cancel',
    'jw-state button 重试': 'a second way to read the list again',
  },
})
