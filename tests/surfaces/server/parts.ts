import type { MachineName } from '../../machines/registry.ts'
import { serverBulkEdit } from '../../machines/bulk-edit/server.ts'
import { serverDesigner } from '../../machines/designer/server.ts'
import { serverDownload } from './student/documents.ts'
import { serverPrintPreview } from './student/print-preview.ts'
import { serverEntityForm } from '../../machines/entity-form/server.ts'
import { serverEntityList } from '../../machines/entity-list/server.ts'
import { serverLookup } from '../../machines/lookup/server.ts'
import { serverRegister } from '../../machines/register/server.ts'
import { serverReveal } from '../../machines/reveal/server.ts'
import { serverSession } from '../../machines/session/server.ts'
import { serverNotices, serverSignIn, serverSmsCode } from './student/student-sign-in.ts'
import type { ServerParts } from './server-part.ts'
import { serverTransfer } from '../../machines/transfer/server.ts'
import { serverViews } from '../../machines/views/server.ts'

/**
 * The scenes of every machine on a real server; null: it makes no calls. A machine without a line
 * does not compile.
 */
export const serverParts: Readonly<Record<MachineName, ServerParts | null>> = {
  session: serverSession,
  entityList: serverEntityList,
  entityForm: serverEntityForm,
  // Its writes are those of entityForm and transfer; tests/journeys/grid.test.ts makes them.
  gridEdit: null,
  // tests/server/writes/entry.test.ts and tests/journeys/entry.test.ts make its calls.
  entrySheet: null,
  // Its writes are those of entityForm and entityList, against the same endpoints.
  buttons: null,
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
  reveal: serverReveal,
  // Its ports are the calls of each administration page: tests/journeys/admin.test.ts walks them.
  resource: null,
  // Its two calls are made in tests/server/design/adopt.test.ts, on tables of its own.
  adoptTables: null,
  // tests/server/flows/decide.test.ts and tests/journeys/todo.test.ts make its calls.
  todoList: null,
  tags: null,
  countdown: null,
}
