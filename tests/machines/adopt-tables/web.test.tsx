// @vitest-environment happy-dom
import { gateWeb } from '../../surfaces/web/gate-web.tsx'
import { adoptTablesWeb } from './web.tsx'

gateWeb(adoptTablesWeb, {
  survivors: {
    'jw-adopt button 关闭': 'a second way to cancel',
    'button 关闭': 'a second way to cancel',
    'jw-table th text': 'a heading, which no state changes',
    'jw-only-read span text': 'a heading for screen readers, which no state changes',
    'deaf: jw-table input shop.customer 的名称':
      'the same control as that of the other table, which is renamed on the way',
    'wrong text:  span text': 'the title of the dialog, by which it is found',
  },
})
