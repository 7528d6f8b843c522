import type { AnyStateMachine } from 'xstate'
import { adoptTablesMachine } from './adopt-tables/machine.ts'
import { bulkEditMachine } from './bulk-edit/machine.ts'
import { buttonsMachine } from './buttons/machine.ts'
import { countdownMachine } from './countdown/machine.ts'
import { designerMachine } from './designer/machine.ts'
import { downloadMachine } from './download/machine.ts'
import { entityFormMachine } from './entity-form/machine.ts'
import { entityListMachine } from './entity-list/machine.ts'
import { entrySheetMachine } from './entry-sheet/machine.ts'
import { gridEditMachine } from './grid-edit/machine.ts'
import { lookupMachine } from './lookup/machine.ts'
import { noticesMachine } from './notices/machine.ts'
import { printPreviewMachine } from './print-preview/machine.ts'
import { registerMachine } from './register/machine.ts'
import { resourceMachine } from './resource/machine.ts'
import { revealMachine } from './reveal/machine.ts'
import { sessionMachine } from './session/machine.ts'
import { signInMachine } from './sign-in/machine.ts'
import { smsCodeMachine } from './sms-code/machine.ts'
import { tagsMachine } from './tags/machine.ts'
import { todoListMachine } from './todo-list/machine.ts'
import { transferMachine } from './transfer/machine.ts'
import { viewsMachine } from './views/machine.ts'

/** All machines of the product by name; tests require a model of each. */
export const machines = {
  session: sessionMachine,
  entityList: entityListMachine,
  entityForm: entityFormMachine,
  gridEdit: gridEditMachine,
  entrySheet: entrySheetMachine,
  buttons: buttonsMachine,
  bulkEdit: bulkEditMachine,
  lookup: lookupMachine,
  tags: tagsMachine,
  todoList: todoListMachine,
  countdown: countdownMachine,
  transfer: transferMachine,
  smsCode: smsCodeMachine,
  signIn: signInMachine,
  register: registerMachine,
  resource: resourceMachine,
  reveal: revealMachine,
  notices: noticesMachine,
  download: downloadMachine,
  printPreview: printPreviewMachine,
  designer: designerMachine,
  views: viewsMachine,
  adoptTables: adoptTablesMachine,
} as const satisfies Record<string, AnyStateMachine>
