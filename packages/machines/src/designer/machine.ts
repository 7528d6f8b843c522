import {
  type DefinitionCheck,
  definitionOf,
  entityDefinitionSchema,
  limits,
  problemOf,
  type SavedEntity,
  staleCode,
} from '@jiaowu/api'
import * as v from 'valibot'
import { assign, emit, enqueueActions, setup, stateIn } from 'xstate'
import { unprovided } from '../port.ts'
import { designerActors, type DesignData, type DesignerPorts } from './ports.ts'
import type {
  DesignerContext,
  DesignerEdit,
  DesignerEmitted,
  DesignerEvent,
  DesignerInput,
} from './types.ts'
import type { Draft } from './draft.ts'
import { edited, jsonOf, readJson, selectedAfter } from './edit.ts'
import { initialChoices, mergeDefinitions, type Part, type Side } from './merge.ts'

const emptyDraft: Draft = v.parse(entityDefinitionSchema, {
  tag: 'NEW',
  name: '',
  tableName: 'new',
  fields: [],
})

/**
 * Makes and changes the definition of an entity
 * (docs/spec/2-student-service-and-designer.md §2, §4). Every edit can be undone; nothing is lost
 * by a refusal or by another's save.
 */
export const designerMachine = setup({
  types: {
    context: {} as DesignerContext,
    events: {} as DesignerEvent,
    emitted: {} as DesignerEmitted,
    input: {} as DesignerInput,
    children: {} as {
      loadDesign: 'loadDesign'
      checkDesign: 'checkDesign'
      saveDesign: 'saveDesign'
    },
    tags: {} as 'busy' | 'editing' | 'unsaved',
  },
  actors: designerActors(unprovided<DesignerPorts>()),
  delays: { CHECK_PAUSE: limits.designCheckPause },
  guards: {
    // While the JSON editor is open, it alone changes the draft.
    changes: ({ context }, { edit }: { edit: DesignerEdit }) =>
      context.json === null && edited(context, edit) !== context.draft,
    addsColumn: ({ context }, { edit }: { edit: DesignerEdit }) =>
      context.json === null && edit.type === 'column.add',
    isDesigning: ({ context }) => context.json === null,
    isSaved: ({ context }) => context.draft === context.saved,
    hasPast: ({ context }) => context.json === null && context.past.length > 0,
    hasFuture: ({ context }) => context.json === null && context.future.length > 0,
    isField: ({ context }, { id }: { id: string }) =>
      context.draft.fields.some((field) => field.id === id),
    isJsonGood: ({ context }) =>
      context.json !== null && readJson(context.json.text).draft !== null,
    hasErrors: ({ context }) => errorsOf(context).length > 0,
    breaks: ({ context }) => (context.check?.impact ?? []).some((impact) => impact.breaks),
    isStale: (_args, { error }: { error: unknown }) => isStale(error),
    differs: ({ context }, { part }: { part: Part }) => part in (context.stale?.choices ?? {}),
  },
  actions: {
    open: assign((_args, { data: { stored, draft, columns } }: { data: DesignData }) => ({
      stored,
      draft,
      columns,
      saved: stored === null ? null : draft,
      check:
        stored === null ? null : { findings: stored.findings, impact: [], drift: stored.drift },
      problem: null,
    })),
    edit: assign(({ context }, { edit }: { edit: DesignerEdit }) => {
      const draft = edited(context, edit)
      return {
        draft,
        past: remembered(context),
        future: [],
        selected: selectedAfter(context, edit, draft),
        problem: null,
      }
    }),
    point: assign(({ context }, { edit }: { edit: DesignerEdit }) => ({
      selected: selectedAfter(context, edit, context.draft),
    })),
    undo: assign(({ context }) => {
      const draft = context.past.at(-1) ?? context.draft
      return {
        draft,
        past: context.past.slice(0, -1),
        future: [context.draft, ...context.future],
        problem: null,
      }
    }),
    redo: assign(({ context }) => {
      const [draft = context.draft, ...future] = context.future
      return { draft, past: remembered(context), future, problem: null }
    }),
    forgetGone: assign(({ context }) => ({
      selected: context.draft.fields.some(({ id }) => id === context.selected)
        ? context.selected
        : null,
    })),
    select: assign((_args, { id }: { id: string | null }) => ({ selected: id })),
    openJson: assign(({ context }) => ({ json: { text: jsonOf(context.draft), fault: null } })),
    typeJson: assign((_args, { text }: { text: string }) => ({ json: { text, fault: null } })),
    formatJson: assign(({ context }) => {
      const { draft, fault } = readJson(context.json?.text ?? '')
      return { json: { text: draft === null ? (context.json?.text ?? '') : jsonOf(draft), fault } }
    }),
    applyJson: assign(({ context }) => {
      const { draft } = readJson(context.json?.text ?? '')
      return draft === null ? {} : { draft, past: remembered(context), future: [], selected: null }
    }),
    closeJson: assign({ json: null }),
    keepCheck: assign((_args, { check }: { check: DefinitionCheck }) => ({ check, problem: null })),
    keepNote: assign((_args, { note }: { note: string | undefined }) => ({ note: note ?? null })),
    keepProblem: assign((_args, { error }: { error: unknown }) => ({ problem: problemOf(error) })),
    tellInvalid: enqueueActions(({ context, enqueue }) => {
      const [first] = errorsOf(context)
      if (first !== undefined)
        enqueue.emit({ type: 'invalid' as const, path: first.path, attrName: first.attrName })
    }),
    keepSaved: assign(({ context }, { stored }: { stored: SavedEntity }) => {
      const draft = definitionOf(stored)
      const was = context.draft.fields.find(({ id }) => id === context.selected)?.attrName
      return {
        stored,
        draft,
        saved: draft,
        past: [],
        future: [],
        note: null,
        problem: null,
        stale: null,
        check: { findings: stored.findings, impact: [], drift: stored.drift },
        selected: draft.fields.find(({ attrName }) => attrName === was)?.id ?? null,
      }
    }),
    tellSaved: emit(({ context }) => ({
      type: 'saved' as const,
      tag: context.draft.tag,
      message: { key: 'design.saved' as const },
    })),
    keepStale: assign(({ context }, { error }: { error: unknown }) => {
      const theirs = problemOf(error).data as SavedEntity
      return {
        problem: null,
        stale: {
          theirs,
          choices: initialChoices(
            context.saved ?? context.draft,
            context.draft,
            definitionOf(theirs),
          ),
        },
      }
    }),
    choose: assign(({ context }, { part, side }: { part: Part; side: Side }) => ({
      stale:
        context.stale === null
          ? null
          : { ...context.stale, choices: { ...context.stale.choices, [part]: side } },
    })),
    merge: assign(({ context }) => {
      if (context.stale === null) return {}
      const theirs = definitionOf(context.stale.theirs)
      return {
        draft: mergeDefinitions(context.draft, theirs, context.stale.choices),
        stored: context.stale.theirs,
        saved: theirs,
        past: remembered(context),
        future: [],
        stale: null,
      }
    }),
    dropStale: assign({ stale: null }),
    tellLeft: emit({ type: 'left' as const }),
  },
}).createMachine({
  id: 'designer',
  context: ({ input }) => ({
    input,
    stored: null,
    saved: null,
    draft: emptyDraft,
    past: [],
    future: [],
    columns: [],
    selected: null,
    check: null,
    problem: null,
    json: null,
    stale: null,
    note: null,
  }),
  initial: 'loading',
  states: {
    loading: {
      tags: 'busy',
      on: { 'design.leave': { target: 'left' } },
      invoke: {
        id: 'loadDesign',
        src: 'loadDesign',
        input: ({ context }) => context.input.target,
        onDone: {
          target: 'open',
          actions: { type: 'open', params: ({ event }) => ({ data: event.output }) },
        },
        onError: {
          target: 'failed',
          actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    failed: { on: { 'design.retry': { target: 'loading' }, 'design.leave': { target: 'left' } } },
    open: {
      type: 'parallel',
      states: {
        work: {
          initial: 'editing',
          states: {
            editing: {
              tags: 'editing',
              initial: 'settling',
              on: {
                'draft.edit': [
                  {
                    guard: { type: 'changes', params: ({ event }) => event },
                    target: '.settling',
                    actions: { type: 'edit', params: ({ event }) => event },
                  },
                  // A column that a field stands for already is not added again: its field is shown
                  // (docs/spec/2-student-service-and-designer.md §4).
                  {
                    guard: { type: 'addsColumn', params: ({ event }) => event },
                    actions: { type: 'point', params: ({ event }) => event },
                  },
                ],
                'history.undo': {
                  guard: 'hasPast',
                  target: '.settling',
                  actions: ['undo', 'forgetGone'],
                },
                'history.redo': {
                  guard: 'hasFuture',
                  target: '.settling',
                  actions: ['redo', 'forgetGone'],
                },
                'json.apply': { guard: 'isJsonGood', target: '.settling', actions: 'applyJson' },
                'field.select': {
                  guard: { type: 'isField', params: ({ event }) => event },
                  actions: { type: 'select', params: ({ event }) => ({ id: event.id }) },
                },
                'entity.select': { actions: { type: 'select', params: { id: null } } },
              },
              states: {
                settling: { always: [{ guard: 'isSaved', target: 'clean' }, { target: 'dirty' }] },
                clean: {
                  on: { 'design.leave': { guard: 'isDesigning', target: '#designer.left' } },
                },
                dirty: {
                  tags: 'unsaved',
                  initial: 'resting',
                  on: {
                    'design.leave': { guard: 'isDesigning', target: '#designer.open.work.leaving' },
                    'design.save': {
                      guard: 'isDesigning',
                      target: '#designer.open.work.reviewing',
                      actions: { type: 'keepNote', params: ({ event }) => ({ note: event.note }) },
                    },
                  },
                  states: {
                    resting: { after: { CHECK_PAUSE: { target: 'checking' } } },
                    checking: {
                      invoke: {
                        id: 'checkDesign',
                        src: 'checkDesign',
                        input: ({ context }) => ({ draft: context.draft }),
                        onDone: {
                          target: 'checked',
                          actions: {
                            type: 'keepCheck',
                            params: ({ event }) => ({ check: event.output }),
                          },
                        },
                        // A check that did not come is no reason to stop working: the save asks
                        // again.
                        onError: { target: 'checked' },
                      },
                    },
                    checked: {},
                  },
                },
              },
            },
            reviewing: {
              tags: ['busy', 'unsaved'],
              invoke: {
                id: 'checkDesign',
                src: 'checkDesign',
                input: ({ context }) => ({ draft: context.draft }),
                onDone: {
                  target: 'judging',
                  actions: { type: 'keepCheck', params: ({ event }) => ({ check: event.output }) },
                },
                onError: {
                  target: 'editing.dirty.checked',
                  actions: { type: 'keepProblem', params: ({ event }) => ({ error: event.error }) },
                },
              },
            },
            judging: {
              always: [
                { guard: 'hasErrors', target: 'editing.dirty.checked', actions: 'tellInvalid' },
                { guard: 'breaks', target: 'confirming' },
                { target: 'saving' },
              ],
            },
            confirming: {
              tags: 'unsaved',
              on: {
                'impact.accept': { target: 'saving' },
                'impact.cancel': { target: 'editing.dirty.checked' },
              },
            },
            saving: {
              tags: ['busy', 'unsaved'],
              invoke: {
                id: 'saveDesign',
                src: 'saveDesign',
                input: ({ context }) => ({
                  draft: context.draft,
                  version: context.stored?.version ?? null,
                  note: context.note,
                }),
                onDone: {
                  target: 'editing.clean',
                  actions: [
                    { type: 'keepSaved', params: ({ event }) => ({ stored: event.output }) },
                    'tellSaved',
                  ],
                },
                onError: [
                  {
                    guard: { type: 'isStale', params: ({ event }) => ({ error: event.error }) },
                    target: 'stale',
                    actions: { type: 'keepStale', params: ({ event }) => ({ error: event.error }) },
                  },
                  {
                    target: 'editing.dirty.checked',
                    actions: {
                      type: 'keepProblem',
                      params: ({ event }) => ({ error: event.error }),
                    },
                  },
                ],
              },
            },
            stale: {
              tags: 'unsaved',
              on: {
                'stale.choose': {
                  guard: { type: 'differs', params: ({ event }) => event },
                  actions: { type: 'choose', params: ({ event }) => event },
                },
                // What was merged is new to both: it is checked like any other draft.
                'stale.save': { target: 'reviewing', actions: 'merge' },
                'stale.cancel': { target: 'editing.dirty.checked', actions: 'dropStale' },
              },
            },
            leaving: {
              tags: 'unsaved',
              on: {
                'leave.confirm': { target: '#designer.left' },
                'leave.cancel': { target: 'editing.dirty.checked' },
              },
            },
          },
        },
        view: {
          initial: 'designing',
          states: {
            designing: {
              on: {
                'json.open': {
                  guard: stateIn({ open: { work: 'editing' } }),
                  target: 'json',
                  actions: 'openJson',
                },
                'preview.show': [
                  { guard: ({ event }) => event.kind === 'list', target: 'preview.list' },
                  { guard: ({ event }) => event.kind === 'form', target: 'preview.form' },
                  { target: 'preview.details' },
                ],
              },
            },
            preview: {
              initial: 'list',
              on: {
                'preview.close': { target: 'designing' },
                'preview.show': [
                  { guard: ({ event }) => event.kind === 'list', target: '.list' },
                  { guard: ({ event }) => event.kind === 'form', target: '.form' },
                  { target: '.details' },
                ],
              },
              states: { list: {}, form: {}, details: {} },
            },
            json: {
              on: {
                'json.change': { actions: { type: 'typeJson', params: ({ event }) => event } },
                'json.format': { actions: 'formatJson' },
                'json.apply': [
                  { guard: 'isJsonGood', target: 'designing', actions: 'closeJson' },
                  { actions: 'formatJson' },
                ],
                'json.cancel': { target: 'designing', actions: 'closeJson' },
              },
            },
          },
        },
      },
    },
    left: { type: 'final', entry: 'tellLeft' },
  },
  options: { maxIterations: 100 },
})

function errorsOf({ check }: Pick<DesignerContext, 'check'>) {
  return (check?.findings ?? []).filter(({ severity }) => severity === 'error')
}

function isStale(error: unknown): boolean {
  const problem = problemOf(error)
  return problem.code === staleCode && isEntity(problem.data)
}

function isEntity(value: unknown): value is SavedEntity {
  return typeof value === 'object' && value !== null && 'fields' in value && 'version' in value
}

function remembered({ past, draft }: DesignerContext): readonly Draft[] {
  return [...past, draft].slice(-limits.designHistory)
}
