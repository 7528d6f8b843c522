import type { ServerHandlers } from '../model/context.ts'
import { accountHandlers } from '../entities/handlers/account.ts'
import { agentHandlers, proposalHandlers } from '../entities/handlers/agent.ts'
import { applicationHandlers } from '../students/application-handlers.ts'
import { attachmentHandlers } from '../entities/handlers/attachment.ts'
import { auditHandlers } from '../platform/audit/handlers.ts'
import { bulkHandlers } from '../entities/handlers/bulk.ts'
import { buttonHandlers } from '../entities/handlers/button.ts'
import { descriptionHandlers } from '../entities/handlers/description.ts'
import { designHandlers } from '../entities/handlers/design.ts'
import { deviceHandlers } from '../identity/handlers/device.ts'
import { dictionaryItemHandlers } from '../entities/handlers/dictionary-item.ts'
import { dictionaryHandlers } from '../entities/handlers/dictionary.ts'
import { entityDataHandlers } from '../entities/handlers/entity-data.ts'
import { entryHandlers } from '../entities/handlers/entry.ts'
import { flowHandlers } from '../entities/handlers/flow.ts'
import { factorHandlers } from '../identity/handlers/factor.ts'
import { hookHandlers } from '../entities/handlers/hook.ts'
import { historyHandlers } from '../entities/handlers/history.ts'
import { messagesHandlers } from '../identity/handlers/messages.ts'
import { ownSessionsHandlers } from '../identity/handlers/own-sessions.ts'
import { providerHandlers } from '../payments/provider-handlers.ts'
import { printHandlers } from '../students/print-handlers.ts'
import { jobHandlers } from '../entities/handlers/job.ts'
import { reauthenticationHandlers } from '../identity/handlers/reauthentication.ts'
import { roleHandlers } from '../entities/roles/handlers.ts'
import { searchHandlers } from '../entities/handlers/search.ts'
import { sessionHandlers } from '../identity/handlers/session.ts'
import { ssoHandlers } from '../identity/handlers/sso.ts'
import { registrationHandlers, studentHandlers } from '../students/handlers.ts'
import { tokenHandlers } from '../identity/handlers/token.ts'
import { tenantsHandlers } from './tenants.ts'
import { treeHandlers } from '../entities/handlers/tree.ts'
import { paperHandlers } from '../documents/paper-handlers.ts'
import { verifyHandlers } from '../documents/verify-handlers.ts'
import { viewHandlers } from '../entities/handlers/view.ts'

/** One handler per call of the contract. */
export const handlers: ServerHandlers = {
  session: sessionHandlers,
  ownSessions: ownSessionsHandlers,
  reauthentication: reauthenticationHandlers,
  device: deviceHandlers,
  factor: factorHandlers,
  sso: ssoHandlers,
  entityData: entityDataHandlers,
  account: accountHandlers,
  entry: entryHandlers,
  search: searchHandlers,
  history: historyHandlers,
  hook: hookHandlers,
  apiToken: tokenHandlers,
  agent: agentHandlers,
  proposals: proposalHandlers,
  flow: flowHandlers,
  paper: paperHandlers,
  role: roleHandlers,
  dictionary: dictionaryHandlers,
  dictionaryItem: dictionaryItemHandlers,
  student: studentHandlers,
  application: applicationHandlers,
  registration: registrationHandlers,
  print: printHandlers,
  attachment: attachmentHandlers,
  audit: auditHandlers,
  job: jobHandlers,
  bulk: bulkHandlers,
  button: buttonHandlers,
  design: designHandlers,
  verify: verifyHandlers,
  tenants: tenantsHandlers,
  tree: treeHandlers,
  messages: messagesHandlers,
  view: viewHandlers,
  provider: providerHandlers,
  description: descriptionHandlers,
}
