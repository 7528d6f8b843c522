// @vitest-environment happy-dom
import { gateWeb } from '../../surfaces/web/gate-web.tsx'
import { resourceWeb } from './web.tsx'

gateWeb(resourceWeb, {
  survivors: {
    'jw-toolbar button 新增租户': 'opens the form of a new tenant, which is not part of the paths',
    'jw-row-actions button 重置管理员': 'the action with a question that is walked is disabling',
    'button 关闭': 'a toast disappears by itself',
  },
})
