import type { Contract } from '../endpoint.ts'
import { account } from './administration/account.ts'
import { agent, proposals } from './agent.ts'
import { application } from './student/application.ts'
import { attachment } from './attachment.ts'
import { audit } from './administration/audit.ts'
import { bulk } from './entity/bulk.ts'
import { button } from './entity/button.ts'
import { description } from './description.ts'
import { design } from './design.ts'
import { device } from './device.ts'
import { dictionary } from './administration/dictionary.ts'
import { dictionaryItem } from './administration/dictionary-item.ts'
import { entry } from './entity/entry.ts'
import { entityData } from './entity/entity-data.ts'
import { flow, paper } from './entity/flow.ts'
import { factor } from './factor.ts'
import { hook } from './hook.ts'
import { history } from './entity/history.ts'
import { job } from './job.ts'
import { messages } from './message.ts'
import { ownSessions } from './own-session.ts'
import { print } from './student/print.ts'
import { provider } from './provider.ts'
import { reauthentication } from './reauthentication.ts'
import { registration } from './student/registration.ts'
import { role } from './administration/role.ts'
import { search } from './entity/search.ts'
import { session } from './session.ts'
import { sso } from './sso.ts'
import { student } from './student/student.ts'
import { apiToken } from './token.ts'
import { tenants } from './administration/tenant.ts'
import { tree } from './entity/tree.ts'
import { verify } from './student/verify.ts'
import { view } from './entity/view.ts'

/**
 * Every call of the product. The client, the server's handlers and `/api/openapi.json` are derived
 * from this object. Paths are relative to `/api`.
 */
export const contract = {
  session,
  ownSessions,
  reauthentication,
  device,
  factor,
  sso,
  entityData,
  entry,
  search,
  account,
  history,
  flow,
  paper,
  role,
  dictionary,
  dictionaryItem,
  attachment,
  audit,
  design,
  student,
  application,
  registration,
  print,
  job,
  bulk,
  button,
  verify,
  tree,
  messages,
  tenants,
  view,
  provider,
  description,
  hook,
  apiToken,
  agent,
  proposals,
} as const satisfies Contract
