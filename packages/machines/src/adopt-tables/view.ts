import { dictTypes, type Problem, type TableDrafts } from '@jiaowu/api'
import type { SnapshotFrom } from 'xstate'
import type { adoptTablesMachine } from './machine.ts'

type Draft = TableDrafts['drafts'][number]

export interface AdoptRow {
  readonly tag: string
  /** `schema.table`. */
  readonly table: string
  readonly schema: string
  readonly name: string
  readonly isChosen: boolean
  readonly isReadOnly: boolean
  readonly key: readonly string[]
  /** Null where it is unknown. */
  readonly rows: number | null
  readonly fields: number
  readonly links: number
  readonly leftOut: Draft['leftOut']
  readonly notes: readonly string[]
}
export interface AdoptTablesView {
  readonly step: 'drafting' | 'failed' | 'choosing' | 'saving' | 'over'
  readonly rows: readonly AdoptRow[]
  readonly chosen: number
  readonly problem: Problem | null
  /** What a refused save says of single definitions. */
  readonly faults: readonly string[]
  /** Whether the server keeps the proposed columns; null where nothing is proposed. */
  readonly keeps: boolean | null
  readonly can: {
    readonly retry: boolean
    readonly choose: boolean
    readonly save: boolean
    readonly leave: boolean
  }
}

export function adoptTablesView(s: SnapshotFrom<typeof adoptTablesMachine>): AdoptTablesView {
  const { drafts, left, names, keeps, problem } = s.context
  const rows = drafts.map((draft) => rowOf(draft, left, names))
  return {
    step: stepOf(s),
    rows,
    chosen: rows.filter(({ isChosen }) => isChosen).length,
    problem,
    faults: (problem?.issues ?? []).map(
      ({ path, msg }) => `${path.split('.').slice(1).join('.')}: ${msg}`,
    ),
    keeps: drafts.some(({ kept }) => kept) ? keeps : null,
    can: {
      retry: s.can({ type: 'adopt.retry' }),
      choose: s.matches('choosing'),
      save: s.can({ type: 'adopt.save' }),
      leave: s.can({ type: 'adopt.leave' }),
    },
  }
}

function rowOf(
  { definition, schema, name, key, rows, readOnly, leftOut, notes }: Draft,
  left: readonly string[],
  names: Readonly<Record<string, string>>,
): AdoptRow {
  const { tag, fields } = definition
  return {
    tag,
    table: `${schema}.${name}`,
    schema,
    name: names[tag] ?? definition.name,
    isChosen: !left.includes(tag),
    isReadOnly: readOnly,
    key,
    rows,
    fields: fields.length,
    links: fields.filter(({ dictType }) => dictType === dictTypes.entity).length,
    leftOut,
    notes,
  }
}

function stepOf(s: SnapshotFrom<typeof adoptTablesMachine>): AdoptTablesView['step'] {
  if (s.matches('drafting')) return 'drafting'
  if (s.matches('failed')) return 'failed'
  if (s.matches('choosing')) return 'choosing'
  return s.matches('saving') ? 'saving' : 'over'
}
