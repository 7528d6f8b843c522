// @vitest-environment happy-dom
import { entityFormWeb } from './web.tsx'
import { gateWeb } from '../../surfaces/web/gate-web.tsx'

const files = 'files of a record, not part of the form machine'
gateWeb(entityFormWeb, {
  survivors: {
    'jw-form__foot button 变更记录': 'opens the history of the record, which has no machine',
    'jw-form__foot button 打印': 'prints by the browser, which has no machine',
    'jw-drop': files,
    'jw-muted small': files,
    'jw-group__head h4': files,
    'button 关闭': 'closes a toast, which also closes by itself',
    'jw-picker__clear': 'clears a choice; the model has no sample for it',
    'jw-picker div major':
      'the child of the cascade is cleared by its parent; the model chooses the parent only',
    'jw-stale button 关闭': 'a second way to cancel',
  },
})
