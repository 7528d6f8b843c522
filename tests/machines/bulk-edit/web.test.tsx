// @vitest-environment happy-dom
import { bulkEditWeb } from './web.tsx'
import { gateWeb } from '../../surfaces/web/gate-web.tsx'

const closing = 'closes the drawer, which the page does'
gateWeb(bulkEditWeb, {
  survivors: {
    'jw-tr button 关闭': closing,
    'jw-tr__foot button 关闭': closing,
    'button 关闭': 'closes a toast, which also closes by itself',
    'jw-bulk__add title': 'the name of an icon',
    'jw-bulk__control input no': 'the second field: the model types in the first',
    'jw-tr__foot button 修改 0 条': 'nothing would change; `offers` shows that it is not offered',
    'jw-tr__table th': 'column headings',
    'jw-muted input radio':
      'all or nothing where it is impossible; `offers` shows that it is not offered',
  },
})
