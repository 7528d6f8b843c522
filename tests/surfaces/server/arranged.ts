import type { Outcome } from '@jiaowu/path-tests'
import { type MachineName, models } from '../../machines/registry.ts'
import type { ServerPart } from './server-part.ts'

/**
 * An outcome of a call that a model has and these paths cannot bring about on a server, with the
 * reason.
 */
export interface NotArranged {
  readonly machine: MachineName
  readonly port: string
  readonly outcome: string
  readonly why: string
}

const unwell =
  'a server cannot be told from outside to fail, to be slow or to answer with something else; the fault matrix asks what comes of that'
const moments =
  'whether a job is still under way at the very moment of an answer cannot be arranged; where it begins and ends is'
const fixed =
  'what may be asked of a job follows from where it is (docs/rules/contract.md#entity-data): in this state all of it may'
const lost = "a job that could not be done at all is a fault of the server's own"
const wrongCodes = 'wrong codes in a row are tried in tests/server/identity/student-sign-in.test.ts'
/** Reasons by machine, each with its endings (`port.outcome`). */
const reasons: Readonly<Partial<Record<MachineName, Readonly<Record<string, string>>>>> = {
  session: { 'the rights of the accounts are left as they are': 'loadProfile.promoted' },
  entityForm: {
    'the answer of a save cannot be lost from outside; tests/server/writes/creates.test.ts repeats its request':
      'saveRow.lost saveRow.already',
  },
  entityList: {
    'what was pressed or deleted is taken back in tests/journeys/list.test.ts':
      'pressButton.undoable undoLast.done undoLast.refused',
    'an estimate needs more than 200,000 rows: apps/server/src/entities/read/totals':
      'loadPage.about countRows.counted',
    'groups and figures of the server: apps/server/src/entities/read/list-protocol.test.ts':
      'loadFigures.kinds loadFigures.months loadFigures.many',
  },
  lookup: { 'no entity of the demo data offers a whole tree': 'find.plain' },
  smsCode: {
    'whoever was sent a code waits: 60 s by docs/rules/contract.md#student-service':
      'smsCode.silent',
    'nobody has to wait for longer than an hour (docs/rules/contract.md#student-service)':
      'smsCode.absurd',
  },
  signIn: { [wrongCodes]: 'signIn.captcha' },
  register: {
    [wrongCodes]: 'register.captcha',
    'a school that approves mobiles: tests/server/identity/registration-requests.test.ts':
      'register.waiting',
  },
  reveal: { 'the limit of an hour is reached in tests/server/pii/reveal.test.ts': 'reveal.limit' },
  notices: { 'the notices of the demo data are left where they are': 'notices.none' },
  download: {
    'the provider is not the sandbox: nobody can pay there':
      'price.free order.paid orderStatus.paid orderStatus.refund cancelOrder.refund cancelOrder.refused',
    'no order is open for longer than 180 s (docs/rules/contract.md#student-service)': 'order.long',
    'an order that is over is not given out again: a new one is': 'order.closed order.refund',
    'whoever cancels what is paid is refused with 409 (docs/rules/contract.md#student-service), and that is walked':
      'cancelOrder.paid',
    'a provider that does not confirm a close cannot be arranged from outside; the worlds of tests/src/run walk it':
      'cancelOrder.closing',
  },
  bulkEdit: {
    [moments]: 'startBulk.good readBulk.queued readBulk.checking readBulk.writing applyBulk.done',
    [fixed]: 'readBulk.stubborn',
    [lost]: 'readBulk.broken',
    'thousands of rows would have to be made first; the limit is tested beside the job':
      'readBulk.many readBulk.huge',
  },
  transfer: {
    "how many imports there were is the server's history": 'recall.two',
    "only the system's own records are asked about once more, and the run imports none":
      'readJob.own',
    [moments]:
      'upload.done upload.good upload.writing readJob.checking readJob.writing cancelJob.cancelledLate ' +
      'resumeJob.good resumeJob.unmapped resumeJob.skipping',
    'a job stands still in the middle only when the server goes down; tests/src/server kills it there':
      'readJob.paused readJob.pausedEarly resumeJob.paused',
    [fixed]: 'readJob.stubborn readJob.stubbornCheck',
    [lost]: 'readJob.broken',
    'tests/server/import/mend.test.ts corrects the cells of reviews on the server':
      'readJob.mendable resumeJob.mendable',
    'tests/server/import reads sheets and encodings on the server':
      'readJob.book readJob.text readJob.unreadable resumeJob.book resumeJob.text',
    'a file is kept for as long as its job may go on': 'readJob.stuck',
    'tests/server/import/untaken.test.ts maps rosters on the server':
      'readJob.rostered resumeJob.rostered',
    'no text of the entity tells its rows apart': 'readJob.nothingNew readJob.failed',
  },
}
/** Without the answer to captchas or without the SMS messages no student can sign in. */
const noCode = 'PATHS_CAPTCHA and PATHS_SMS_OUTBOX are not given'
const needsCode: readonly string[] = ['smsCode', 'signIn', 'register', 'download']
/** For an outcome in a model that no scene arranges. */
export const unsaid = 'nobody has arranged it yet'

/**
 * The outcomes left out on this server, with reasons. Every outcome is either walked or listed
 * here.
 */
export function notArranged(
  machine: MachineName,
  parts: Readonly<Record<string, ServerPart>>,
): readonly NotArranged[] {
  return knownEndings(machine).flatMap((ending): NotArranged[] => {
    const [port = '', outcome = ''] = ending.split('.')
    const isArranged = Object.values(parts).some(
      ({ calls }) => calls[port]?.[outcome] !== undefined,
    )
    return isArranged ? [] : [{ machine, port, outcome, why: whyNot(machine, ending) }]
  })
}

function whyNot(machine: MachineName, ending: string): string {
  if (/\.(down|offline)$/.test(ending)) return unwell
  const said = Object.entries(reasons[machine] ?? {}).find(([, endings]) =>
    endings.split(' ').includes(ending),
  )
  return said?.[0] ?? (needsCode.includes(machine) ? noCode : unsaid)
}

/** The outcomes in the machine's own models. */
function knownEndings(machine: MachineName): readonly string[] {
  return [
    ...new Set(
      Object.values(models[machine].parts).flatMap(({ outcomes }) =>
        Object.entries(outcomes).flatMap(([port, table]) =>
          listOutcomeNames(table).map((name) => `${port}.${name}`),
        ),
      ),
    ),
  ].sort()
}

function listOutcomeNames(table: unknown): readonly string[] {
  return Object.keys(
    (typeof table === 'function'
      ? (table as (input: object) => Readonly<Record<string, Outcome>>)({
          id: null,
          draft: {},
          values: {},
        })
      : table) ?? {},
  )
}
