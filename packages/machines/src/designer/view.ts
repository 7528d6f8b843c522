import {
  type DefinitionFinding,
  withoutStoredKeys,
  type Impact,
} from '@jiaowu/api/entity/definition/stored'
import type { FieldDefinition } from '@jiaowu/api/entity/definition/definition'
import { holdsValue } from '@jiaowu/api/fields/kinds'
import type { Message } from '@jiaowu/api/texts/index'
import type { Problem } from '@jiaowu/api/problem'
import type { TableColumn, TableDrift } from '@jiaowu/api/entity/definition/table'
import type { SnapshotFrom } from 'xstate'
import type { designerMachine } from './machine.ts'
import type { PreviewKind } from './types.ts'
import { type Draft, fieldForColumn } from './draft.ts'
import type { Part, Side } from './merge.ts'

/** A column of the table, and its field. */
export interface DesignColumnView {
  readonly column: TableColumn
  readonly fieldId: string | null
}
/** A field of the draft, and its findings. */
export interface DesignFieldView {
  readonly field: FieldDefinition
  readonly selected: boolean
  readonly custom: boolean
  readonly findings: readonly DefinitionFinding[]
}
export interface StalePartView {
  readonly part: Part
  readonly mine: unknown
  readonly theirs: unknown
  readonly side: Side
}

export interface DesignerView {
  readonly step:
    | 'loading'
    | 'failed'
    | 'editing'
    | 'reviewing'
    | 'confirming'
    | 'saving'
    | 'stale'
    | 'leaving'
    | 'left'
  readonly view: 'designing' | 'flow' | 'json' | PreviewKind
  readonly draft: Draft
  /** Whether it was never saved; the tag of a saved one cannot be changed. */
  readonly isNew: boolean
  readonly builtIn: boolean
  readonly version: number | null
  readonly unsaved: boolean
  readonly checking: boolean
  readonly columns: readonly DesignColumnView[]
  readonly fields: readonly DesignFieldView[]
  /** The field in the configuration panel; null shows the entity. */
  readonly selected: FieldDefinition | null
  readonly findings: readonly DefinitionFinding[]
  readonly impact: readonly Impact[]
  readonly drift: TableDrift
  readonly json: { readonly text: string; readonly fault: Message | null } | null
  readonly stale: readonly StalePartView[] | null
  readonly problem: Problem | null
  readonly can: {
    readonly edit: boolean
    readonly undo: boolean
    readonly redo: boolean
    readonly save: boolean
    readonly json: boolean
    readonly applyJson: boolean
    readonly leave: boolean
    readonly retry: boolean
  }
}

type Snapshot = SnapshotFrom<typeof designerMachine>
const noDrift: TableDrift = { missing: [], unused: [], added: [], changed: [] }

export function designerView(s: Snapshot): DesignerView {
  const { draft, columns, selected, check, stored, json, problem } = s.context
  const findings = check?.findings ?? []
  const fields = draft.fields.toSorted((a, b) => a.uiSort - b.uiSort)
  return {
    step: resolveDesignerStep(s),
    view: resolveDesignerView(s),
    draft,
    isNew: stored === null,
    builtIn: stored?.builtIn ?? false,
    version: stored?.version ?? null,
    unsaved: s.hasTag('unsaved'),
    checking: s.children.checkDesign !== undefined,
    columns: columns.map((column) => ({
      column,
      fieldId: fieldForColumn(draft, column)?.id ?? null,
    })),
    fields: fields.map((field) => ({
      field,
      selected: field.id === selected,
      custom: field.tableName === null && field.columnName === null && holdsValue(field.uiType),
      findings: listFieldFindings(findings, draft, field),
    })),
    selected: fields.find(({ id }) => id === selected) ?? null,
    findings,
    impact: check?.impact ?? [],
    drift: check?.drift ?? noDrift,
    json,
    stale: buildStaleParts(s.context),
    problem,
    can: {
      edit: s.can({ type: 'draft.edit', edit: { type: 'group.add' } }),
      undo: s.can({ type: 'history.undo' }),
      redo: s.can({ type: 'history.redo' }),
      save: s.can({ type: 'design.save' }),
      json: s.can({ type: 'json.open' }),
      applyJson: s.can({ type: 'json.apply' }),
      leave: s.can({ type: 'design.leave' }),
      retry: s.can({ type: 'design.retry' }),
    },
  }
}

function resolveDesignerStep(s: Snapshot): DesignerView['step'] {
  if (s.matches('loading') || s.matches('failed') || s.matches('left'))
    return s.value as 'loading' | 'failed' | 'left'
  const step = (['reviewing', 'confirming', 'saving', 'stale', 'leaving'] as const).find((name) =>
    s.matches({ open: { work: name } }),
  )
  return step ?? 'editing'
}

function resolveDesignerView(s: Snapshot): DesignerView['view'] {
  if (s.matches({ open: { view: 'json' } })) return 'json'
  if (s.matches({ open: { view: 'flow' } })) return 'flow'
  return (
    (['list', 'form', 'details'] as const).find((kind) =>
      s.matches({ open: { view: { preview: kind } } }),
    ) ?? 'designing'
  )
}

/**
 * Findings of one field, matched by attrName because the server assigns the ids; fields without a
 * name are matched by index.
 */
function listFieldFindings(
  findings: readonly DefinitionFinding[],
  { fields }: Draft,
  field: FieldDefinition,
) {
  const shapeless = `fields.${fields.indexOf(field)}.`
  return findings.filter(
    ({ attrName, path }) =>
      (attrName !== null && attrName === field.attrName && attrName !== '') ||
      path.startsWith(shapeless),
  )
}

function buildStaleParts({ stale, draft }: Snapshot['context']): StalePartView[] | null {
  if (stale === null) return null
  const theirs = withoutStoredKeys(stale.theirs)
  return Object.entries(stale.choices).map(([part, side]) => ({
    part,
    side,
    mine: readDraftPart(draft, part),
    theirs: readDraftPart(theirs, part),
  }))
}

function readDraftPart(draft: Draft, part: Part): unknown {
  if (part === 'order')
    return draft.fields.toSorted((a, b) => a.uiSort - b.uiSort).map(({ uiLabel }) => uiLabel)
  return part.startsWith('field:')
    ? (draft.fields.find(({ attrName }) => attrName === part.slice('field:'.length)) ?? null)
    : draft[part as keyof Draft]
}
