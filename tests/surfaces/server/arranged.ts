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
const restarts =
  'a job stands still in the middle only when the server goes down; tests/src/server kills it there'
const fixed =
  'what may be asked of a job follows from where it is (docs/rules/contract.md#entity-data): in this state all of it may'
const lost = "a job that could not be done at all is a fault of the server's own"
const manyRows = 'thousands of rows would have to be made first; the limit is tested beside the job'
const sandbox = 'the provider is not the sandbox: nobody can pay there'
/** The reasons, by machine and `port.outcome`; `down` and `offline` have one reason everywhere. */
const reasons: Readonly<Partial<Record<MachineName, Readonly<Record<string, string>>>>> = {
  session: all('the rights of the accounts are left as they are', 'loadProfile.promoted'),
  entityForm: all(
    'the answer of a save cannot be lost from outside; tests/server/writes/creates.test.ts repeats its request',
    'saveRow.lost',
    'saveRow.already',
  ),
  entityList: {
    ...all(
      'what was pressed or deleted is taken back in tests/journeys/list.test.ts',
      'pressButton.undoable',
      'undoLast.done',
      'undoLast.refused',
    ),
    ...all(
      'groups and figures of the server: apps/server/src/entities/read/list-protocol.test.ts',
      'loadFigures.kinds',
      'loadFigures.months',
      'loadFigures.many',
    ),
  },
  lookup: all('no entity of the demo data offers a whole tree', 'find.plain'),
  smsCode: {
    ...all(
      'whoever was sent a code waits: 60 s by docs/rules/contract.md#student-service',
      'smsCode.silent',
    ),
    ...all(
      'nobody has to wait for longer than an hour (docs/rules/contract.md#student-service)',
      'smsCode.absurd',
    ),
  },
  signIn: all(
    'wrong codes in a row are tried in tests/server/identity/student-sign-in.test.ts',
    'signIn.captcha',
  ),
  register: all(
    'wrong codes in a row are tried in tests/server/identity/student-sign-in.test.ts',
    'register.captcha',
  ),
  reveal: all('the limit of an hour is reached in tests/server/pii/reveal.test.ts', 'reveal.limit'),
  notices: all('the notices of the demo data are left where they are', 'notices.none'),
  download: {
    ...all(
      sandbox,
      'price.free',
      'order.paid',
      'orderStatus.paid',
      'orderStatus.refund',
      'cancelOrder.refund',
      'cancelOrder.refused',
    ),
    ...all(
      'no order is open for longer than 180 s (docs/rules/contract.md#student-service)',
      'order.long',
    ),
    ...all(
      'an order that is over is not given out again: a new one is',
      'order.closed',
      'order.refund',
    ),
    ...all(
      'whoever cancels what is paid is refused with 409 (docs/rules/contract.md#student-service), and that is walked',
      'cancelOrder.paid',
    ),
    ...all(
      'a provider that does not confirm a close cannot be arranged from outside; the worlds of tests/src/run walk it',
      'cancelOrder.closing',
    ),
  },
  bulkEdit: {
    ...all(
      moments,
      'startBulk.good',
      'readBulk.queued',
      'readBulk.checking',
      'readBulk.writing',
      'applyBulk.done',
    ),
    ...all(fixed, 'readBulk.stubborn'),
    ...all(lost, 'readBulk.broken'),
    ...all(manyRows, 'readBulk.many', 'readBulk.huge'),
  },
  transfer: {
    ...all("how many imports there were is the server's history", 'recall.two'),
    ...all(
      "only the system's own records are asked about once more, and the run imports none",
      'readJob.own',
    ),
    ...all(
      moments,
      'upload.done',
      'upload.good',
      'upload.writing',
      'readJob.checking',
      'readJob.writing',
      'cancelJob.cancelledLate',
      'resumeJob.good',
      'resumeJob.unmapped',
      'resumeJob.skipping',
    ),
    ...all(restarts, 'readJob.paused', 'readJob.pausedEarly', 'resumeJob.paused'),
    ...all(fixed, 'readJob.stubborn', 'readJob.stubbornCheck'),
    ...all(lost, 'readJob.broken'),
    ...all(
      'tests/server/import/mend.test.ts corrects the cells of reviews on the server',
      'readJob.mendable',
      'resumeJob.mendable',
    ),
    ...all(
      'tests/server/import reads sheets and encodings on the server',
      'readJob.book',
      'readJob.text',
      'readJob.unreadable',
      'resumeJob.book',
      'resumeJob.text',
    ),
    ...all('a file is kept for as long as its job may go on', 'readJob.stuck'),
    ...all('no text of the entity tells its rows apart', 'readJob.nothingNew', 'readJob.failed'),
  },
}
/** Without the answer to captchas or without the SMS messages no student can sign in. */
const noCode = 'PATHS_CAPTCHA and PATHS_SMS_OUTBOX are not given'
const needsCode: readonly string[] = ['smsCode', 'signIn', 'register', 'download']

/** The outcomes in the machine's own models. */
function knownEndings(machine: MachineName): readonly string[] {
  return [
    ...new Set(
      Object.values(models[machine].parts).flatMap(({ outcomes }) =>
        Object.entries(outcomes).flatMap(([port, table]) =>
          namesOf(table).map((name) => `${port}.${name}`),
        ),
      ),
    ),
  ].sort()
}

function namesOf(table: unknown): readonly string[] {
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
    if (Object.values(parts).some(({ scenes }) => scenes[port]?.[outcome] !== undefined)) return []
    const why =
      outcome === 'down' || outcome === 'offline'
        ? unwell
        : (reasons[machine]?.[ending] ?? (needsCode.includes(machine) ? noCode : unsaid))
    return [{ machine, port, outcome, why }]
  })
}

function all(why: string, ...endings: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(endings.map((ending) => [ending, why]))
}
