import type { ServerHandlers } from '../context.ts'
import { accountHandlers } from './account.ts'
import { attachmentHandlers } from './attachment.ts'
import { bulkHandlers } from './bulk.ts'
import { buttonHandlers } from './button.ts'
import { designHandlers } from './design.ts'
import { dictionaryItemHandlers } from './dictionary-item.ts'
import { dictionaryHandlers } from './dictionary.ts'
import { entityDataHandlers } from './entity-data.ts'
import { historyHandlers } from './history.ts'
import { messagesHandlers } from './messages.ts'
import { printHandlers } from './print.ts'
import { jobHandlers } from './job.ts'
import { roleHandlers } from './role.ts'
import { sessionHandlers } from './session.ts'
import { studentHandlers } from './student.ts'
import { tenantsHandlers } from './tenants.ts'
import { treeHandlers } from './tree.ts'
import { verifyHandlers } from './verify.ts'
import { viewHandlers } from './view.ts'

/** One handler per call of the contract. */
export const handlers: ServerHandlers = {
  session: sessionHandlers,
  entityData: entityDataHandlers,
  account: accountHandlers,
  history: historyHandlers,
  role: roleHandlers,
  dictionary: dictionaryHandlers,
  dictionaryItem: dictionaryItemHandlers,
  student: studentHandlers,
  print: printHandlers,
  attachment: attachmentHandlers,
  job: jobHandlers,
  bulk: bulkHandlers,
  button: buttonHandlers,
  design: designHandlers,
  verify: verifyHandlers,
  tenants: tenantsHandlers,
  tree: treeHandlers,
  messages: messagesHandlers,
  view: viewHandlers,
}
