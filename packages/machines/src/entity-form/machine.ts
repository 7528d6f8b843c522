import type { EntityConfig } from '@jiaowu/api/entity/config'
import { findKind } from '@jiaowu/api/fields/kinds'
import type { Message } from '@jiaowu/api/texts/index'
import { type Problem, toProblem, staleCode } from '@jiaowu/api/problem'
import type { Row, Values, WireValue } from '@jiaowu/api/entity/values'
import { assign, emit, enqueueActions, setup } from 'xstate'
import { createMissingPorts } from '../port.ts'
import { entityFormActors, type EntityFormPorts, type FormData } from './ports.ts'
import {
  allFaults,
  changeValue,
  checksOn,
  listChangedFields,
  type Faults,
  findFieldFault,
  type FormPerson,
  initialValues,
  normal,
  savedValues,
  valuesOfRow,
  tidyTypedValues,
} from './values.ts'

export interface EntityFormInput {
  readonly tag: string
  /** Present: edit. Absent: add (docs/spec/1-entity-console.md §4). */
  readonly id: string | null
  /** Only show the record. */
  readonly viewOnly?: boolean
  /** The caller's or custom defaults of a new record. */
  readonly defaults?: Values
  readonly person: FormPerson | null
}
export type Side = 'mine' | 'theirs'
/** Another user saved meanwhile: their row, and the side that wins for each field that differs. */
interface Stale {
  readonly theirs: Row
  readonly choices: Readonly<Record<string, Side>>
}

export interface EntityFormContext {
  readonly input: EntityFormInput
  readonly config: EntityConfig | null
  /** The record as it was read or last saved; null for a new one. */
  readonly row: Row | null
  readonly original: Values
  readonly values: Values
  readonly faults: Faults
  readonly problem: Problem | null
  readonly stale: Stale | null
  /** The id made for a new record when its form opened; null for a stored one. */
  readonly newId: string | null
  /**
   * The values of a create whose answer was lost. They are sent again unchanged: the server then
   * answers the row that the first request made, and later changes are saved as an edit of it.
   */
  readonly sent: Values | null
  /** attrNames of folded groups. */
  readonly folded: readonly string[]
}

export type EntityFormEvent =
  | { readonly type: 'field.change'; readonly attrName: string; readonly value: WireValue }
  | { readonly type: 'field.blur'; readonly attrName: string }
  | { readonly type: 'group.toggle'; readonly attrName: string }
  | { readonly type: 'form.submit' }
  | { readonly type: 'form.retry' }
  | { readonly type: 'form.leave' }
  | { readonly type: 'leave.confirm' }
  | { readonly type: 'leave.cancel' }
  | { readonly type: 'stale.choose'; readonly attrName: string; readonly side: Side }
  | { readonly type: 'stale.save' }
  | { readonly type: 'stale.cancel' }

export type EntityFormEmitted =
  | { readonly type: 'saved'; readonly row: Row; readonly message: Message }
  | { readonly type: 'left' }
  /** Rules or the server refused fields: the surface focuses the first. */
  | { readonly type: 'invalid'; readonly attrName: string }

const toMode = ({ input }: EntityFormContext) => (input.id === null ? 'add' : 'edit')

/**
 * Adds, edits or shows one record of any entity (docs/spec/1-entity-console.md §4). Input survives
 * a refusal, a stale version and an ended session.
 */
export const entityFormMachine = setup({
  types: {
    context: {} as EntityFormContext,
    events: {} as EntityFormEvent,
    emitted: {} as EntityFormEmitted,
    input: {} as EntityFormInput,
    children: {} as { loadForm: 'loadForm'; saveRow: 'saveRow' },
    tags: {} as 'busy' | 'editing',
  },
  actors: entityFormActors(createMissingPorts<EntityFormPorts>()),
  guards: {
    isValid: ({ context }) =>
      Object.keys(
        allFaults(readConfig(context), tidyTypedValues(context, toMode(context)), toMode(context)),
      ).length === 0,
    isMergeValid: ({ context }) =>
      Object.keys(allFaults(readConfig(context), mergeStaleValues(context), toMode(context)))
        .length === 0,
    differs: ({ context }, { attrName }: { attrName: string }) =>
      Object.hasOwn(context.stale?.choices ?? {}, attrName),
    isViewOnly: ({ context }) => context.input.viewOnly === true,
    isStale: (_args, { error }: { error: unknown }) => isStale(error),
    isStored: ({ context }, { error }: { error: unknown }) =>
      isStale(error) && isStored(context, toProblem(error).data as Row),
    changedSince: ({ context }) => changedSince(context).length > 0,
    refusedEarlier: ({ context }, { error }: { error: unknown }) =>
      changedSince(context).length > 0 && toProblem(error).kind === 'invalid',
  },
  actions: {
    open: assign(({ context }, { data: { config, row, now, newId } }: { data: FormData }) => {
      const values =
        row === null
          ? initialValues(config, context.input.defaults ?? {}, context.input.person, now)
          : valuesOfRow(config, row)
      return {
        config,
        row,
        values,
        original: values,
        faults: {},
        problem: null,
        // A form that is read again keeps its id: its files and a lost save have it.
        newId: row === null ? (context.newId ?? newId ?? null) : null,
      }
    }),
    change: assign(({ context }, { attrName, value }: { attrName: string; value: WireValue }) => {
      const config = readConfig(context)
      const field = config.fields.find((each) => each.attrName === attrName)
      const next = changeValue(
        config,
        context.values,
        context.faults,
        attrName,
        field === undefined ? value : normal(field, value),
      )
      const fault = checksOn(config, attrName, 'change')
        ? findFieldFault(config, next.values, attrName, toMode(context))
        : null
      return {
        values: next.values,
        faults: fault === null ? next.faults : { ...next.faults, [attrName]: fault },
      }
    }),
    check: assign(({ context }, { attrName }: { attrName: string }) => {
      const values = tidyTypedValues(context, toMode(context), [attrName])
      const fault = findFieldFault(readConfig(context), values, attrName, toMode(context))
      const { [attrName]: old, ...others } = context.faults
      // A fault that the server found stays until the value changes: no rule here can check it
      // again.
      if (fault === null && typeof old?.message === 'string') return { values }
      return { values, faults: fault === null ? others : { ...others, [attrName]: fault } }
    }),
    checkAll: assign(({ context }) => {
      const values = tidyTypedValues(context, toMode(context))
      const faults = allFaults(readConfig(context), values, toMode(context))
      return { values, faults, problem: null }
    }),
    // A refusal without a field has no field to focus.
    emitInvalid: enqueueActions(({ context, enqueue }) => {
      const [attrName] = Object.keys(context.faults)
      if (attrName !== undefined) enqueue.emit({ type: 'invalid' as const, attrName })
    }),
    fold: assign(({ context }, { attrName }: { attrName: string }) => ({
      folded: context.folded.includes(attrName)
        ? context.folded.filter((name) => name !== attrName)
        : [...context.folded, attrName],
    })),
    keepProblem: assign(({ context }, { error }: { error: unknown }) => {
      const problem = toProblem(error)
      const known = problem.issues.filter(({ path }) =>
        readConfig(context).fields.some((field) => field.attrName === path),
      )
      return {
        problem,
        faults: {
          ...context.faults,
          ...Object.fromEntries(known.map(({ path, rule, msg }) => [path, { rule, message: msg }])),
        },
      }
    }),
    keepStale: assign(({ context }, { error }: { error: unknown }) => {
      const theirs = toProblem(error).data as Row
      const config = readConfig(context)
      const changed = listChangedFields(
        config,
        context.values,
        valuesOfRow(config, theirs),
        toMode(context),
      )
      // Fields that the user changed keep their value by default; fields that only the other user
      // changed take theirs.
      const touched = listChangedFields(config, context.values, context.original, toMode(context))
      return {
        stale: {
          theirs,
          choices: Object.fromEntries(
            changed.map((name) => [name, touched.includes(name) ? 'mine' : 'theirs'] as const),
          ),
        },
        problem: null,
      }
    }),
    choose: assign(({ context }, { attrName, side }: { attrName: string; side: Side }) => ({
      stale:
        context.stale === null
          ? null
          : { ...context.stale, choices: { ...context.stale.choices, [attrName]: side } },
    })),
    merge: assign(({ context }) =>
      context.stale === null
        ? {}
        : {
            values: mergeStaleValues(context),
            row: context.stale.theirs,
            original: valuesOfRow(readConfig(context), context.stale.theirs),
            stale: null,
          },
    ),
    dropStale: assign({ stale: null }),
    keepSent: assign(({ context }, { error }: { error: unknown }) =>
      context.row === null && isLost(error) ? { sent: context.sent ?? context.values } : {},
    ),
    dropSent: assign({ sent: null }),
    adopt: assign(({ context }, { row }: { row: Row }) => ({
      row,
      original: context.sent ?? context.values,
      sent: null,
    })),
    emitSaved: emit(({ context }, { row }: { row: Row }) => ({
      type: 'saved' as const,
      row,
      message: {
        key: context.input.id === null ? ('form.added' as const) : ('form.modified' as const),
      },
    })),
    keepSaved: assign(({ context }, { row }: { row: Row }) => {
      const values = valuesOfRow(readConfig(context), row)
      return { row, values, original: values }
    }),
    emitLeft: emit({ type: 'left' as const }),
  },
}).createMachine({
  id: 'entityForm',
  context: ({ input }) => ({
    input,
    config: null,
    row: null,
    original: {},
    values: {},
    faults: {},
    problem: null,
    stale: null,
    newId: null,
    sent: null,
    folded: [],
  }),
  initial: 'loading',
  states: {
    loading: {
      tags: 'busy',
      on: { 'form.leave': { target: 'left' } },
      invoke: {
        id: 'loadForm',
        src: 'loadForm',
        input: ({ context }) => ({ tag: context.input.tag, id: context.input.id }),
        onDone: [
          {
            guard: 'isViewOnly',
            target: 'viewing',
            actions: { type: 'open', params: ({ event }) => ({ data: event.output }) },
          },
          {
            target: 'editing',
            actions: { type: 'open', params: ({ event }) => ({ data: event.output }) },
          },
        ],
        onError: {
          target: 'failed',
          actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    failed: { on: { 'form.retry': { target: 'loading' }, 'form.leave': { target: 'left' } } },
    viewing: {
      on: {
        'group.toggle': { actions: { type: 'fold', params: ({ event }) => event } },
        'form.retry': { target: 'loading' },
        'form.leave': { target: 'left' },
      },
    },
    editing: {
      tags: 'editing',
      initial: 'pristine',
      on: {
        'field.change': {
          target: '.dirty',
          actions: { type: 'change', params: ({ event }) => event },
        },
        'field.blur': { actions: { type: 'check', params: ({ event }) => event } },
        'group.toggle': { actions: { type: 'fold', params: ({ event }) => event } },
        'form.submit': [
          { guard: 'isValid', target: 'saving', actions: 'checkAll' },
          { actions: ['checkAll', 'emitInvalid'] },
        ],
      },
      states: {
        pristine: { on: { 'form.leave': { target: '#entityForm.left' } } },
        dirty: { on: { 'form.leave': { target: 'leaving' } } },
        leaving: {
          on: {
            'leave.confirm': { target: '#entityForm.left' },
            'leave.cancel': { target: 'dirty' },
            'field.change': {},
            'field.blur': {},
            'form.submit': {},
          },
        },
      },
    },
    saving: {
      tags: ['busy', 'editing'],
      invoke: {
        id: 'saveRow',
        src: 'saveRow',
        input: ({ context }) => ({
          tag: context.input.tag,
          id: context.input.id ?? context.row?.id ?? null,
          version: context.row?.version ?? null,
          values: savedValues(
            readConfig(context),
            context.sent ?? context.values,
            context.row === null ? null : context.original,
            toMode(context),
          ),
          ...(context.newId === null || context.row !== null ? {} : { newId: context.newId }),
        }),
        onDone: [
          {
            guard: 'changedSince',
            target: 'saving',
            reenter: true,
            actions: { type: 'adopt', params: ({ event }) => ({ row: event.output }) },
          },
          {
            target: 'saved',
            actions: [
              { type: 'keepSaved', params: ({ event }) => ({ row: event.output }) },
              { type: 'emitSaved', params: ({ event }) => ({ row: event.output }) },
            ],
          },
        ],
        onError: [
          {
            // An earlier save arrived, but its answer did not.
            guard: { type: 'isStored', params: ({ event }) => ({ error: event.error }) },
            target: 'saved',
            actions: [
              { type: 'keepSaved', params: ({ event }) => ({ row: rowIn(event.error) }) },
              { type: 'emitSaved', params: ({ event }) => ({ row: rowIn(event.error) }) },
            ],
          },
          {
            // Invalid values have made no row: save those that the form has now.
            guard: { type: 'refusedEarlier', params: ({ event }) => ({ error: event.error }) },
            target: 'saving',
            reenter: true,
            actions: 'dropSent',
          },
          {
            guard: { type: 'isStale', params: ({ event }) => ({ error: event.error }) },
            target: 'stale',
            actions: { type: 'keepStale', params: ({ event }) => ({ error: event.error }) },
          },
          {
            target: 'editing.dirty',
            actions: [
              { type: 'keepSent', params: ({ event }) => ({ error: event.error }) },
              { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
              'emitInvalid',
            ],
          },
        ],
      },
    },
    stale: {
      tags: 'editing',
      on: {
        'stale.choose': {
          guard: { type: 'differs', params: ({ event }) => event },
          actions: { type: 'choose', params: ({ event }) => event },
        },
        'stale.save': [
          { guard: 'isMergeValid', target: 'saving', actions: 'merge' },
          { target: 'editing.dirty', actions: ['merge', 'checkAll', 'emitInvalid'] },
        ],
        'stale.cancel': { target: 'editing.dirty', actions: 'dropStale' },
      },
    },
    saved: { type: 'final' },
    left: { type: 'final', entry: 'emitLeft' },
  },
  options: { maxIterations: 100 },
})

function readConfig({ config }: EntityFormContext): EntityConfig {
  return (
    config ?? {
      tag: '',
      name: '',
      fields: [],
      buttons: [],
      options: {
        selection: false,
        operColumnShow: false,
        singleSelect: false,
        multiSelect: false,
        openType: 'drawer',
        sorts: [],
      },
      idField: 'id',
      tagField: null,
      permissions: [],
    }
  )
}

function mergeStaleValues(context: EntityFormContext): Values {
  if (context.stale === null) return context.values
  const theirs = valuesOfRow(readConfig(context), context.stale.theirs)
  return Object.fromEntries(
    Object.entries(context.values).map(([name, value]) => [
      name,
      Object.hasOwn(context.stale?.choices ?? {}, name)
        ? context.stale?.choices[name] === 'theirs'
          ? (theirs[name] ?? null)
          : value
        : (theirs[name] ?? value),
    ]),
  )
}

function isStale(error: unknown): boolean {
  const problem = toProblem(error)
  return problem.code === staleCode && isRow(problem.data)
}

function rowIn(error: unknown): Row {
  return toProblem(error).data as Row
}

/**
 * Whether the stored row has everything that the form sent. A password cannot be compared, so a form
 * with a new one still asks.
 */
function isStored(context: EntityFormContext, theirs: Row): boolean {
  const config = readConfig(context)
  const sent = Object.keys(savedValues(config, context.values, context.original, toMode(context)))
  const differing = listChangedFields(
    config,
    context.values,
    valuesOfRow(config, theirs),
    toMode(context),
  )
  return (
    sent.length > 0 && sent.every((name) => !differing.includes(name) && !isSecret(config, name))
  )
}

function isSecret(config: EntityConfig, attrName: string): boolean {
  const field = config.fields.find((each) => each.attrName === attrName)
  return field !== undefined && findKind(field.uiType).secret
}

/** Fields that the user has changed since the answer of the first save was lost. */
function changedSince(context: EntityFormContext): readonly string[] {
  return context.sent === null
    ? []
    : Object.keys(savedValues(readConfig(context), context.values, context.sent, toMode(context)))
}

/** Whether the server may have carried out the request although no answer says so. */
function isLost(error: unknown): boolean {
  const { kind, code } = toProblem(error)
  return kind === 'transport' || kind === 'timeout' || (code >= 500 && code < 600)
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && 'id' in value
}
