import { ApiProblem, type EntryState } from '@jiaowu/api'
import { entrySheetMachine } from '@jiaowu/machines'
import type { MachineModel } from '../machine-model.ts'
import { bare, modelSpec } from '../spec.ts'
import { entryRules } from './rules.ts'

export interface EntrySeen {
  readonly at: string
  readonly by: string
  readonly state: string
  readonly dirty: boolean
  readonly reason: string
  readonly fault: string | null
  readonly problem: number | null
  readonly offers: string
}
const offered = [
  'submit.ask',
  'submit.confirm',
  'unlock.ask',
  'unlock.confirm',
  'ask.cancel',
] as const

function stateOf(entered: number, isLocked: boolean, mayUnlock = true): EntryState {
  return {
    by: { course: [{ id: '1', name: '高等数学' }], term: [{ id: '2', name: '第一学期' }] },
    total: 42,
    entered,
    locked: isLocked ? { name: '王老师', at: '2026-01-09 10:00:00' } : null,
    can: { submit: !isLocked && entered > 0, unlock: isLocked && mayUnlock },
  }
}
const entryStates = {
  part: stateOf(38, false),
  locked: stateOf(42, true),
  sealed: stateOf(42, true, false),
  empty: stateOf(0, false),
} as const satisfies Record<string, EntryState>

const entryModel = modelSpec({
  machine: entrySheetMachine,
  input: () => ({ tag: 'A', by: null }),
  events: {
    'entry.choose': {
      sheet: { by: { course: '1', term: '2' } },
      none: { by: null },
    },
    'entry.refresh': bare,
    'grid.change': { dirty: { isDirty: true }, clean: { isDirty: false } },
    'submit.ask': bare,
    'submit.confirm': bare,
    'unlock.ask': bare,
    'reason.change': { enough: { reason: '登记有误 ' }, short: { reason: ' 有误 ' } },
    'unlock.confirm': bare,
    'ask.cancel': bare,
  },
  outcomes: {
    readEntry: {
      part: { ok: true, output: entryStates.part },
      locked: { ok: true, output: entryStates.locked },
      sealed: { ok: true, output: entryStates.sealed },
      empty: { ok: true, output: entryStates.empty },
      broken: refused(500),
    },
    submitEntry: {
      locked: { ok: true, output: entryStates.locked },
      conflict: refused(409),
      forbidden: refused(403),
    },
    unlockEntry: {
      open: { ok: true, output: entryStates.part },
      conflict: refused(409),
      forbidden: refused(403),
    },
  },
  unhandled: 'all',
  key: (s) =>
    JSON.stringify([
      s.value,
      s.context.by,
      nameOf(s.context.state),
      s.context.isDirty,
      s.context.reason,
      s.context.fault?.key ?? null,
      s.context.problem?.code ?? null,
    ]),
  project: (s): EntrySeen => ({
    at: JSON.stringify(s.value) + [...s.tags].sort().join(),
    by: JSON.stringify(s.context.by),
    state: nameOf(s.context.state),
    dirty: s.context.isDirty,
    reason: s.context.reason,
    fault: s.context.fault?.key ?? null,
    problem: s.context.problem?.code ?? null,
    offers: offered.filter((type) => s.can({ type })).join(),
  }),
})

function nameOf(state: EntryState | null): string {
  const found = Object.entries(entryStates).find(
    ([, each]) => JSON.stringify(each) === JSON.stringify(state),
  )
  return found?.[0] ?? 'none'
}

function refused(code: number) {
  return {
    ok: false,
    error: new ApiProblem({
      kind: 'refused',
      code,
      message: `no ${code}`,
      issues: [],
      data: null,
      traceId: null,
    }),
  } as const
}

/** A sheet that the address names. */
const addressModel: typeof entryModel = {
  ...entryModel,
  input: () => ({ tag: 'A', by: { course: '1', term: '2' } }),
}

export const entryModels: MachineModel<EntrySeen> = {
  parts: { entry: entryModel, address: addressModel },
  rules: entryRules,
}
