import type { Outcome } from '../../model/index.ts'
import { type MachineName, models } from '../../models/registry.ts'
import type { ServerPart } from './server-part.ts'

/** An ending of a call that the machine knows and that these paths cannot bring about on a server, with the reason. */
export interface NotArranged { readonly machine: MachineName; readonly port: string; readonly outcome: string; readonly why: string }

const unwell = 'a server cannot be told from outside to fail, to be slow or to answer with something else; the fault matrix asks what comes of that'
const rights = 'the rights of the accounts are left as they are'
const data = 'the demo data has none'
const moments = 'where a job is at the very moment of an answer cannot be arranged; its ends are'
const money = 'crossings of payment at the provider cannot be timed from outside; the worlds of tests/src/world walk them'
/** Why, by machine and `port.outcome`; `down` and `offline` have one reason everywhere. */
const reasons: Readonly<Partial<Record<MachineName, Readonly<Record<string, string>>>>> = {
  session: { 'loadProfile.promoted': rights },
  lookup: { 'find.plain': data },
  smsCode: { 'smsCode.silent': 'no server says that nobody need wait', 'smsCode.absurd': 'no server says that somebody must wait for years' },
  notices: { 'notices.none': 'the notices of the demo data are left where they are' },
  printPreview: {},
  download: { 'price.free': 'the document of a paid order is walked as paid', 'order.long': money, 'order.paid': money, 'order.closed': money, 'order.refund': money, 'orderStatus.refund': money, 'cancelOrder.closing': money, 'cancelOrder.paid': money, 'cancelOrder.refund': money, 'orderStatus.paid': 'no sandbox to pay at', 'cancelOrder.refused': 'no sandbox to pay at' },
  bulkEdit: Object.fromEntries(['queued', 'checking', 'good', 'wrong', 'many', 'huge', 'nothing', 'writing', 'stubborn', 'done', 'doneInPart', 'broken', 'failed'].flatMap((name) => ['startBulk', 'readBulk', 'applyBulk'].map((port) => [`${port}.${name}`, moments]))),
  transfer: {
    'recall.two': 'how many imports there were is the server\'s history', ...Object.fromEntries(['checking', 'writing', 'paused', 'pausedEarly', 'skipping', 'looked', 'unmapped', 'own', 'nothingNew', 'failed', 'broken', 'stubborn', 'stubbornCheck', 'stuck', 'done', 'good', 'cancelled', 'cancelledLate'].flatMap((name) => ['upload', 'readJob', 'resumeJob', 'cancelJob'].map((port) => [`${port}.${name}`, moments]))),
  },
}
/** Without the answer to the pictures or the messages, nobody comes in as a student. */
const noCode = 'PATHS_CAPTCHA and PATHS_SMS_OUTBOX are not given'
const needsCode: readonly string[] = ['smsCode', 'signIn', 'register', 'download']

const namesOf = (table: unknown): readonly string[] => Object.keys((typeof table === 'function' ? (table as (input: object) => Readonly<Record<string, Outcome>>)({ id: null, draft: {}, values: {} }) : table) ?? {})
/** The endings that the machine's own models know. */
export const knownEndings = (machine: MachineName): readonly string[] => [...new Set(Object.values(models[machine].parts).flatMap(({ outcomes }) => Object.entries(outcomes).flatMap(([port, table]) => namesOf(table).map((name) => `${port}.${name}`))))].sort()

const unsaid = 'nobody has arranged it yet'
/** What is left out on this server and why. Every ending is either walked or in here: nothing is skipped silently. */
export const notArranged = (machine: MachineName, parts: Readonly<Record<string, ServerPart>>): readonly NotArranged[] => knownEndings(machine).flatMap((ending): NotArranged[] => {
  const [port = '', outcome = ''] = ending.split('.')
  if (Object.values(parts).some(({ scenes }) => scenes[port]?.[outcome] !== undefined)) return []
  const why = outcome === 'down' || outcome === 'offline' ? unwell : (reasons[machine]?.[ending] ?? (needsCode.includes(machine) ? noCode : unsaid))
  return [{ machine, port, outcome, why }]
})
