import type { EntryState } from '@jiaowu/api/contract/entity/entry'
import { entrySheetMachine } from '@jiaowu/machines/entry-sheet/machine'
import type { MachineModel } from '../machine-model.ts'
import { bare, modelSpec } from '../spec.ts'
import { entryRules } from './rules.ts'
import { answerFailure } from '../problems.ts'

export interface EntrySeen {
  readonly at: string
  readonly by: string
  readonly state: string
  readonly dirty: boolean
  readonly reason: string
  readonly from: string
  readonly refused: string
  readonly fault: string | null
  readonly problem: number | null
  readonly offers: string
}
const offered = [
  'submit.ask',
  'submit.confirm',
  'unlock.ask',
  'unlock.confirm',
  'add.ask',
  'add.confirm',
  'ask.cancel',
] as const

function buildEntryState(entered: number, isLocked: boolean, mayUnlock = true): EntryState {
  return {
    by: { course: [{ id: '1', name: '高等数学' }], term: [{ id: '2', name: '第一学期' }] },
    total: 42,
    entered,
    figures: entered === 0 ? null : { average: '76.35', lowest: '0', highest: '98.5', fails: 4 },
    locked: isLocked ? { name: '王老师', at: '2026-01-09 10:00:00' } : null,
    can: { submit: !isLocked && entered > 0, unlock: isLocked && mayUnlock, add: !isLocked },
  }
}
const entryStates = {
  part: buildEntryState(38, false),
  locked: buildEntryState(42, true),
  sealed: buildEntryState(42, true, false),
  empty: buildEntryState(0, false),
} as const satisfies Record<string, EntryState>

const events = {
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
  'add.ask': bare,
  'add.change': { class: { from: { class: '1班' } }, none: { from: { class: '' } } },
  'add.confirm': bare,
  'ask.cancel': bare,
} as const

// Not constant, since a port answers with a list that may be changed.
const addedRows = {
  all: { added: 40, there: 2, refused: [], refusals: 0 },
  part: { added: 0, there: 3, refused: [{ name: '张三', msg: '不可新增' }], refusals: 1 },
}

const outcomes = {
  readEntry: {
    part: { ok: true, output: entryStates.part },
    locked: { ok: true, output: entryStates.locked },
    sealed: { ok: true, output: entryStates.sealed },
    empty: { ok: true, output: entryStates.empty },
    broken: answerFailure(500),
  },
  submitEntry: {
    locked: { ok: true, output: entryStates.locked },
    conflict: answerFailure(409),
    forbidden: answerFailure(403),
  },
  unlockEntry: {
    open: { ok: true, output: entryStates.part },
    conflict: answerFailure(409),
    forbidden: answerFailure(403),
  },
  addRows: {
    all: { ok: true, output: addedRows.all },
    part: { ok: true, output: addedRows.part },
    tooMany: answerFailure(409),
  },
} as const

function entrySpec(names: readonly string[]) {
  return modelSpec({
    machine: entrySheetMachine,
    input: () => ({ tag: 'A', by: null }),
    events: pickEntryEvents(names, events),
    outcomes,
    eventsIn: () => ({}),
    unhandled: 'all',
    key: (s) =>
      JSON.stringify([
        s.value,
        s.context.by,
        findStateName(s.context.state),
        s.context.isDirty,
        s.context.reason,
        s.context.from,
        s.context.refused,
        s.context.fault?.key ?? null,
        s.context.problem?.code ?? null,
      ]),
    project: (s): EntrySeen => ({
      at: JSON.stringify(s.value) + [...s.tags].sort().join(),
      by: JSON.stringify(s.context.by),
      state: findStateName(s.context.state),
      dirty: s.context.isDirty,
      reason: s.context.reason,
      from: JSON.stringify(s.context.from),
      refused: JSON.stringify(s.context.refused),
      fault: s.context.fault?.key ?? null,
      problem: s.context.problem?.code ?? null,
      offers: offered.filter((type) => s.can({ type })).join(),
    }),
  })
}

/** Without the events of the other concern. */
function pickEntryEvents<T extends object>(names: readonly string[], events: T): T {
  return Object.fromEntries(
    Object.entries(events).map(([type, cases]) => [
      type,
      [...questions, ...additions].includes(type) && !names.includes(type) ? {} : cases,
    ]),
  ) as T
}

const questions = ['submit.ask', 'submit.confirm', 'unlock.ask', 'reason.change', 'unlock.confirm']
const additions = ['add.ask', 'add.change', 'add.confirm']
const entryModel = entrySpec(questions)
const additionModel = entrySpec(additions)

function findStateName(state: EntryState | null): string {
  const found = Object.entries(entryStates).find(
    ([, each]) => JSON.stringify(each) === JSON.stringify(state),
  )
  return found?.[0] ?? 'none'
}

/** A sheet that the address names. */
const addressModel: typeof entryModel = {
  ...entryModel,
  input: () => ({ tag: 'A', by: { course: '1', term: '2' } }),
}

export const entryModels: MachineModel<EntrySeen> = {
  parts: { entry: entryModel, addition: additionModel, address: addressModel },
  rules: entryRules,
}
