import type { MachineName } from '../../models/registry.ts'
import { serverBulkEdit } from './bulk-edit.ts'
import { serverDesigner } from './designer.ts'
import { serverDownload, serverPrintPreview } from './documents.ts'
import { serverEntityForm } from './entity-form.ts'
import { serverEntityList } from './entity-list.ts'
import { serverLookup } from './lookup.ts'
import { serverRegister } from './register.ts'
import { serverSession } from './session.ts'
import { serverNotices, serverSignIn, serverSmsCode } from './student-door.ts'
import type { ServerParts } from './server-part.ts'
import { serverTransfer } from './transfer.ts'
import { serverViews } from './views.ts'

/** Every machine against a real server; null: it asks nothing of one. A machine without a line does not compile. */
export const serverParts: Readonly<Record<MachineName, ServerParts | null>> = {
  session: serverSession,
  entityList: serverEntityList,
  entityForm: serverEntityForm,
  lookup: serverLookup,
  smsCode: serverSmsCode,
  signIn: serverSignIn,
  notices: serverNotices,
  printPreview: serverPrintPreview,
  download: serverDownload,
  designer: serverDesigner,
  transfer: serverTransfer,
  register: serverRegister,
  bulkEdit: serverBulkEdit,
  views: serverViews,
  tags: null,
  countdown: null,
}
