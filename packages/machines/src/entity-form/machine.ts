import { toProblem } from '@jiaowu/api/problem'
import type { Row, WireValue } from '@jiaowu/api/entity/values'
import { assign, emit, enqueueActions, setup } from 'xstate'
import { createMissingPorts } from '../port.ts'
import {
  changedSince,
  type EntityFormContext,
  type EntityFormEmitted,
  type EntityFormEvent,
  type EntityFormInput,
  isLost,
  isStale,
  isStored,
  mergeStaleValues,
  readConfig,
  rowIn,
  type Side,
  toMode,
} from './context.ts'
import { copiedValues, isPinnable, pickPinned } from './new-record.ts'
import { entityFormActors, type EntityFormPorts, type FormData } from './ports.ts'
import {
  allFaults,
  changeValue,
  checksOn,
  listChangedFields,
  findFieldFault,
  initialValues,
  normal,
  savedValues,
  valuesOfRow,
  tidyTypedValues,
} from './values.ts'

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
    isPinnable: ({ context }, { attrName }: { attrName: string }) =>
      context.input.id === null && isPinnable(readConfig(context), attrName),
    goesOn: ({ context }) => context.next,
    isViewOnly: ({ context }) => context.input.viewOnly === true,
    isStale: (_args, { error }: { error: unknown }) => isStale(error),
    isStored: ({ context }, { error }: { error: unknown }) =>
      isStale(error) && isStored(context, toProblem(error).data as Row),
    isStoredOnWay: ({ context }, { error }: { error: unknown }) =>
      context.next && isStale(error) && isStored(context, toProblem(error).data as Row),
    changedSince: ({ context }) => changedSince(context).length > 0,
    refusedEarlier: ({ context }, { error }: { error: unknown }) =>
      changedSince(context).length > 0 && toProblem(error).kind === 'invalid',
  },
  actions: {
    open: assign(
      ({ context }, { data: { config, row, now, newId, copied = null } }: { data: FormData }) => {
        const { defaults = {}, person } = context.input
        const given = { ...context.pins, ...copiedValues(config, copied), ...defaults }
        const values =
          row === null ? initialValues(config, given, person, now) : valuesOfRow(config, row)
        return {
          config,
          row,
          copied,
          values,
          original: values,
          faults: {},
          problem: null,
          // A form that is read again keeps its id: its files and a lost save have it.
          newId: row === null ? (context.newId ?? newId ?? null) : null,
        }
      },
    ),
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
    keepNext: assign(({ context }, { next = false }: { next?: boolean }) => ({
      next: next && context.input.id === null,
    })),
    pin: assign(({ context }, { attrName }: { attrName: string }) => {
      const { [attrName]: old, ...others } = context.pins
      return {
        pins: old === undefined ? pickPinned([...Object.keys(others), attrName], context) : others,
      }
    }),
    // A pinned field keeps the value that was saved last.
    keepPins: enqueueActions(({ context, enqueue }) => {
      const names = Object.keys(context.pins)
      if (names.length === 0) return
      const pins = pickPinned(names, context)
      enqueue.assign({ pins })
      enqueue.emit({ type: 'pinned' as const, pins })
    }),
    emitPinned: emit(({ context }) => ({ type: 'pinned' as const, pins: context.pins })),
    // The form is read again for another record. It is no copy any more.
    startAnew: assign(({ context: { input } }) => {
      const { copyOf: _copied, ...others } = input
      return {
        input: others,
        row: null,
        newId: null,
        sent: null,
        stale: null,
        faults: {},
        problem: null,
        copied: null,
        next: false,
      }
    }),
    emitSaved: emit(({ context }, { row }: { row: Row }) => ({
      type: 'saved' as const,
      row,
      next: context.next,
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
    copied: null,
    pins: input.pins ?? {},
    next: false,
  }),
  initial: 'loading',
  states: {
    loading: {
      tags: 'busy',
      on: { 'form.leave': { target: 'left' } },
      invoke: {
        id: 'loadForm',
        src: 'loadForm',
        input: ({ context: { input } }) => ({
          tag: input.tag,
          id: input.id,
          ...(input.copyOf === undefined ? {} : { copyOf: input.copyOf }),
        }),
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
          {
            guard: 'isValid',
            target: 'saving',
            actions: ['checkAll', { type: 'keepNext', params: ({ event }) => event }],
          },
          { actions: ['checkAll', 'emitInvalid'] },
        ],
        'pin.toggle': {
          guard: { type: 'isPinnable', params: ({ event }) => event },
          actions: [{ type: 'pin', params: ({ event }) => event }, 'emitPinned'],
        },
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
            'pin.toggle': {},
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
            guard: 'goesOn',
            target: 'loading',
            actions: [
              'keepPins',
              { type: 'emitSaved', params: ({ event }) => ({ row: event.output }) },
              'startAnew',
            ],
          },
          {
            target: 'saved',
            actions: [
              'keepPins',
              { type: 'keepSaved', params: ({ event }) => ({ row: event.output }) },
              { type: 'emitSaved', params: ({ event }) => ({ row: event.output }) },
            ],
          },
        ],
        onError: [
          {
            guard: { type: 'isStoredOnWay', params: ({ event }) => ({ error: event.error }) },
            target: 'loading',
            actions: [
              'keepPins',
              { type: 'emitSaved', params: ({ event }) => ({ row: rowIn(event.error) }) },
              'startAnew',
            ],
          },
          {
            // An earlier save arrived, but its answer did not.
            guard: { type: 'isStored', params: ({ event }) => ({ error: event.error }) },
            target: 'saved',
            actions: [
              'keepPins',
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
