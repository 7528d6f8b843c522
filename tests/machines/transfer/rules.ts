import { fileFault } from '@jiaowu/machines/transfer/choices'
import type { TransferContext } from '@jiaowu/machines/transfer/context'
import { pendingCalls, type Rule } from '@jiaowu/path-tests'

type World = Parameters<Extract<Rule, { kind: 'state' }>['holds']>[0]
const readTransferContext = ({ snapshot }: World) => snapshot.context as TransferContext
interface Asked {
  readonly choices: object
  readonly mapping: unknown
  readonly fixed: unknown
  readonly pauseAt: string | null
  readonly confirm: boolean
}
/** Whether values of all rows are proposed, which the next check takes. */
const isProposed = (node: World) =>
  (readTransferContext(node).job?.sheet?.fixed ?? []).some(({ from }) => from !== null)
const isEdited = (node: World) => isIn(node, { reviewing: { mapping: 'edited' } })

/**
 * Promises of an import and an export (docs/rules/contract.md#entity-data,
 * docs/rules/requests.md#r1 to #r18).
 */
export const transferRules: readonly Rule[] = [
  {
    name: 'a file over the limits is never sent',
    kind: 'state',
    holds: (node) => {
      const { file } = readTransferContext(node)
      return file === null || fileFault(file) === null
    },
  },
  {
    name: 'rows are written only because a person said so',
    kind: 'edge',
    holds: ({ step, effects }) =>
      !resumes(effects).some(({ pauseAt }) => pauseAt === 'none') ||
      step.label === 'job.run' ||
      step.label === 'run.confirm',
  },
  {
    name: 'nothing is written that was not checked as it stands',
    kind: 'edge',
    holds: ({ effects }, from) =>
      !resumes(effects).some(({ pauseAt }) => pauseAt === 'none') || !isEdited(from),
  },
  {
    name: 'with a wrong row and abort nothing is written',
    kind: 'edge',
    holds: ({ effects }, from) =>
      !resumes(effects).some(({ pauseAt }) => pauseAt === 'none') ||
      readTransferContext(from).job?.review.wrong === 0 ||
      readTransferContext(from).job?.onError === 'skip',
  },
  {
    name: "the console's own records are written only after a yes",
    kind: 'edge',
    holds: ({ step, effects }, from) =>
      !resumes(effects).some(({ pauseAt }) => pauseAt === 'none') ||
      readTransferContext(from).job?.needsConfirm !== true ||
      (step.label === 'run.confirm' && resumes(effects).every(({ confirm }) => confirm)),
  },
  {
    name: 'other choices and another mapping are checked again, and stop for review',
    kind: 'edge',
    holds: ({ step, effects }, from) =>
      !(isIn(from, 'reviewing') && /^(choices\.change|job\.check)/.test(step.label)) ||
      resumes(effects).some(
        ({ pauseAt, mapping, fixed }) =>
          pauseAt === 'review' &&
          (mapping !== null) === isEdited(from) &&
          (fixed !== null) === (isEdited(from) || isProposed(from)),
      ),
  },
  {
    name: 'what was chosen is not changed once rows are written',
    kind: 'edge',
    holds: ({ step, effects }, from) =>
      !(step.label === 'job.resume' && readTransferContext(from).job?.phase === 'writing') ||
      resumes(effects).every(
        ({ choices, mapping, pauseAt }) =>
          mapping === null && pauseAt === null && JSON.stringify(choices) === '{}',
      ),
  },
  {
    name: 'how far it is comes from the server alone',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      step.kind === 'settle' ||
      step.label.startsWith('transfer.restart') ||
      step.label.startsWith('job.open') ||
      readTransferContext(from).job === readTransferContext(to).job,
  },
  {
    name: 'a broken network does not end a job',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      !(isIn(from, 'checking', 'running') && /^readJob → (offline|ended)/.test(step.label)) ||
      (isIn(to, { checking: 'lost' }, { running: 'lost' }) &&
        readTransferContext(to).job === readTransferContext(from).job),
  },
  {
    name: 'a call that is refused keeps what was edited',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      step.label !== 'resumeJob → refused' ||
      JSON.stringify([readTransferContext(from).mapping, readTransferContext(from).fixed]) ===
        JSON.stringify([readTransferContext(to).mapping, readTransferContext(to).fixed]),
  },
  {
    name: 'two columns never fill one field',
    kind: 'state',
    holds: (node) => {
      const used = readTransferContext(node).mapping.flatMap(({ attrName }) => attrName ?? [])
      return new Set(used).size === used.length
    },
  },
  {
    name: 'the end is emitted once',
    kind: 'edge',
    holds: ({ step, effects }, from, to) =>
      effects.some((effect) => effect.includes('"type":"finished"')) ===
      (step.kind === 'settle' &&
        step.outcome.ok &&
        step.source !== 'saveFile' &&
        isIn(to, 'done', 'failed') &&
        !isIn(from, 'done', 'failed')),
  },
  {
    name: 'an upload that breaks off keeps the file',
    kind: 'edge',
    holds: ({ step }, from, to) =>
      !(step.kind === 'settle' && step.source === 'upload' && !step.outcome.ok) ||
      (readTransferContext(to).file === readTransferContext(from).file && isIn(to, 'choosing')),
  },
  {
    name: 'the followed job is emitted, so that it is found again',
    kind: 'edge',
    holds: ({ step, effects }) =>
      !(step.kind === 'settle' && step.source === 'upload' && step.outcome.ok) ||
      effects.some((effect) => effect.includes('"type":"job","id":"j"')),
  },
  {
    name: 'starting anew forgets the old job',
    kind: 'edge',
    holds: ({ step, effects }, from, to) =>
      !(
        step.label === 'transfer.restart' &&
        !isIn(from, 'exporting', 'choosing') &&
        isIn(to, 'choosing')
      ) ||
      (readTransferContext(to).job === null &&
        readTransferContext(to).file === null &&
        effects.some((effect) => effect.includes('"type":"job","id":null'))),
  },
  {
    name: 'an export without columns is not begun',
    kind: 'edge',
    holds: ({ effects }, from) =>
      !calls(effects, 'exportSheet') || readTransferContext(from).sheet.columns?.length !== 0,
  },
  {
    name: 'an export that is cancelled asks nothing more',
    kind: 'edge',
    holds: ({ step }, _from, to) =>
      step.label !== 'export.cancel' ||
      pendingCalls(to.at).every(({ source }) => source !== 'exportSheet'),
  },
  {
    name: 'from everywhere there is something to choose or to look at',
    kind: 'reach',
    to: (node) =>
      isIn(node, 'choosing', 'reviewing', 'paused', 'done', 'failed', 'unopened', {
        exporting: 'choosing',
      }),
  },
]

function resumes(effects: readonly string[]): Asked[] {
  return effects
    .filter((effect) => effect.startsWith('call resumeJob '))
    .map((effect) => JSON.parse(effect.slice('call resumeJob '.length)) as Asked)
}

function isIn({ snapshot }: World, ...states: readonly (string | object)[]) {
  return states.some((state) => snapshot.matches({ transfer: state } as never))
}

function calls(effects: readonly string[], port: string) {
  return effects.some((effect) => effect.startsWith(`call ${port} `))
}
