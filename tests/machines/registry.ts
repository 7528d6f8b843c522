import type { machines } from '@jiaowu/machines/table'
import { adoptTablesModels } from './adopt-tables/model.ts'
import { bulkEditModels } from './bulk-edit/model.ts'
import { buttonsModels } from './buttons/model.ts'
import { countdownModels } from './countdown/model.ts'
import { designerModels } from './designer/model.ts'
import { downloadModels } from './download/model.ts'
import { entityFormModels } from './entity-form/model.ts'
import { entityListModels } from './entity-list/model.ts'
import { entryModels } from './entry-sheet/model.ts'
import { gridEditModels } from './grid-edit/model.ts'
import { lookupModels } from './lookup/model.ts'
import type { MachineModel } from './machine-model.ts'
import { noticesModels } from './notices/model.ts'
import { printPreviewModels } from './print-preview/model.ts'
import { registerModels } from './register/model.ts'
import { resourceModels } from './resource/model.ts'
import { revealModels } from './reveal/model.ts'
import { sessionModels } from './session/model.ts'
import { signInModels } from './sign-in/model.ts'
import { smsCodeModels } from './sms-code/model.ts'
import { tagsModels } from './tags/model.ts'
import { todoListModels } from './todo-list/model.ts'
import { transferModels } from './transfer/model.ts'
import { viewsModels } from './views/model.ts'

export type MachineName = keyof typeof machines

/**
 * The model of every machine of the product. A machine added to `packages/machines` without a row
 * here does not compile.
 */
export const models: Readonly<Record<MachineName, MachineModel>> = {
  session: sessionModels,
  entityList: entityListModels,
  entityForm: entityFormModels,
  buttons: buttonsModels,
  gridEdit: gridEditModels,
  entrySheet: entryModels,
  bulkEdit: bulkEditModels,
  lookup: lookupModels,
  tags: tagsModels,
  todoList: todoListModels,
  countdown: countdownModels,
  smsCode: smsCodeModels,
  signIn: signInModels,
  register: registerModels,
  resource: resourceModels,
  reveal: revealModels,
  notices: noticesModels,
  download: downloadModels,
  printPreview: printPreviewModels,
  designer: designerModels,
  views: viewsModels,
  transfer: transferModels,
  adoptTables: adoptTablesModels,
}
