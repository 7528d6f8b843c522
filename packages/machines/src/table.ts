import type { AnyStateMachine } from 'xstate'
import { bulkEditMachine } from './bulk-edit/bulk-edit.machine.ts'
import { countdownMachine } from './countdown/countdown.machine.ts'
import { designerMachine } from './designer/designer.machine.ts'
import { downloadMachine } from './download/download.machine.ts'
import { entityFormMachine } from './entity-form/entity-form.machine.ts'
import { entityListMachine } from './entity-list/entity-list.machine.ts'
import { lookupMachine } from './lookup/lookup.machine.ts'
import { noticesMachine } from './notices/notices.machine.ts'
import { printPreviewMachine } from './print-preview/print-preview.machine.ts'
import { registerMachine } from './register/register.machine.ts'
import { sessionMachine } from './session/session.machine.ts'
import { signInMachine } from './sign-in/sign-in.machine.ts'
import { smsCodeMachine } from './sms-code/sms-code.machine.ts'
import { tagsMachine } from './tags/tags.machine.ts'
import { transferMachine } from './transfer/transfer.machine.ts'
import { viewsMachine } from './views/views.machine.ts'

/** Every machine of the product, by name: the tests ask for a model of each. */
export const machines = {
  session: sessionMachine,
  entityList: entityListMachine,
  entityForm: entityFormMachine,
  bulkEdit: bulkEditMachine,
  lookup: lookupMachine,
  tags: tagsMachine,
  countdown: countdownMachine,
  transfer: transferMachine,
  smsCode: smsCodeMachine,
  signIn: signInMachine,
  register: registerMachine,
  notices: noticesMachine,
  download: downloadMachine,
  printPreview: printPreviewMachine,
  designer: designerMachine,
  views: viewsMachine,
} as const satisfies Record<string, AnyStateMachine>
