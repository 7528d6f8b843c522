// @vitest-environment happy-dom
import { bulkEditModels } from './model.ts'
import { bulkEditWeb } from './web.tsx'
import { gateWeb } from '../../surfaces/web/gate-web.tsx'

const closing = 'shuts the drawer: the page’s matter'
gateWeb(bulkEditModels, bulkEditWeb.onScreen, bulkEditWeb.makeScreen, {
  survivors: {
    'jw-tr button Close': closing,
    'jw-tr__foot button 关闭': closing,
    'button Close': 'waves a toast away; toasts go by themselves',
    'jw-bulk__add title': 'the name of an icon',
    'jw-bulk__control input no': 'the second field: the model types in the first',
    'jw-tr__foot button 修改 0 条': 'nothing would change: that it is not offered is read',
    'jw-tr__table th': 'the heads of the columns',
    'jw-muted input radio': 'all or nothing where it cannot be: that it is not offered is read',
  },
})
