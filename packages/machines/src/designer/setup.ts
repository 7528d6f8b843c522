import { type DefinitionCheck, withoutStoredKeys } from '@jiaowu/api/entity/definition/stored'
import type { SavedEntity } from '@jiaowu/api/contract/design'
import { limits } from '@jiaowu/api/limits'
import { toProblem, staleCode } from '@jiaowu/api/problem'
import { assign, emit, enqueueActions, setup } from 'xstate'
import { createMissingPorts } from '../port.ts'
import type { Draft } from './draft.ts'
import { applyEdit, formatDraftJson, readJson, selectedAfter } from './edit.ts'
import { type Part, type Side, initialChoices, mergeDefinitions } from './merge.ts'
import { type DesignData, type DesignerPorts, designerActors } from './ports.ts'
import type {
  DesignerContext,
  DesignerEdit,
  DesignerEmitted,
  DesignerEvent,
  DesignerInput,
} from './types.ts'

/** Guards, actions, delays and ports of the designer machine. */
export const designerSetup = setup({
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
  actors: designerActors(createMissingPorts<DesignerPorts>()),
  delays: { CHECK_PAUSE: limits.designCheckPause },
  guards: {
    // While the JSON editor is open, nothing else can change the draft.
    changes: ({ context }, { edit }: { edit: DesignerEdit }) =>
      context.json === null && applyEdit(context, edit) !== context.draft,
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
    hasErrors: ({ context }) => listErrors(context).length > 0,
    breaks: ({ context }) => (context.check?.impact ?? []).some((impact) => impact.breaks),
    isStale: (_args, { error }: { error: unknown }) => isStale(error),
    differs: ({ context }, { part }: { part: Part }) =>
      Object.hasOwn(context.stale?.choices ?? {}, part),
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
      const draft = applyEdit(context, edit)
      return {
        draft,
        past: rememberDraft(context),
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
      return { draft, past: rememberDraft(context), future, problem: null }
    }),
    forgetGone: assign(({ context }) => ({
      selected: context.draft.fields.some(({ id }) => id === context.selected)
        ? context.selected
        : null,
    })),
    select: assign((_args, { id }: { id: string | null }) => ({ selected: id })),
    openJson: assign(({ context }) => ({
      json: { text: formatDraftJson(context.draft), fault: null },
    })),
    typeJson: assign((_args, { text }: { text: string }) => ({ json: { text, fault: null } })),
    formatJson: assign(({ context }) => {
      const { draft, fault } = readJson(context.json?.text ?? '')
      return {
        json: { text: draft === null ? (context.json?.text ?? '') : formatDraftJson(draft), fault },
      }
    }),
    applyJson: assign(({ context }) => {
      const { draft } = readJson(context.json?.text ?? '')
      return draft === null
        ? {}
        : { draft, past: rememberDraft(context), future: [], selected: null }
    }),
    closeJson: assign({ json: null }),
    keepCheck: assign((_args, { check }: { check: DefinitionCheck }) => ({ check, problem: null })),
    keepNote: assign((_args, { note }: { note: string | undefined }) => ({ note: note ?? null })),
    keepProblem: assign((_args, { error }: { error: unknown }) => ({ problem: toProblem(error) })),
    tellInvalid: enqueueActions(({ context, enqueue }) => {
      const [first] = listErrors(context)
      if (first !== undefined)
        enqueue.emit({ type: 'invalid' as const, path: first.path, attrName: first.attrName })
    }),
    keepSaved: assign(({ context }, { stored }: { stored: SavedEntity }) => {
      const draft = withoutStoredKeys(stored)
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
      const theirs = toProblem(error).data as SavedEntity
      return {
        problem: null,
        stale: {
          theirs,
          choices: initialChoices(
            context.saved ?? context.draft,
            context.draft,
            withoutStoredKeys(theirs),
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
      const theirs = withoutStoredKeys(context.stale.theirs)
      return {
        draft: mergeDefinitions(context.draft, theirs, context.stale.choices),
        stored: context.stale.theirs,
        saved: theirs,
        past: rememberDraft(context),
        future: [],
        stale: null,
      }
    }),
    dropStale: assign({ stale: null }),
    tellLeft: emit({ type: 'left' as const }),
  },
})

function listErrors({ check }: Pick<DesignerContext, 'check'>) {
  return (check?.findings ?? []).filter(({ severity }) => severity === 'error')
}

function isStale(error: unknown): boolean {
  const problem = toProblem(error)
  return problem.code === staleCode && isEntity(problem.data)
}

function isEntity(value: unknown): value is SavedEntity {
  return typeof value === 'object' && value !== null && 'fields' in value && 'version' in value
}

function rememberDraft({ past, draft }: DesignerContext): readonly Draft[] {
  return [...past, draft].slice(-limits.designHistory)
}
