import { dictTypes } from '@jiaowu/api/entity/enums'
import type { Problem } from '@jiaowu/api/problem'
import type { TableDrafts } from '@jiaowu/api/entity/definition/table'
import type { SnapshotFrom } from 'xstate'
import type { AdoptTablesContext, adoptTablesMachine } from './machine.ts'

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
  /** Tables drafted so far, while they are; null until their number is known. */
  readonly progress: { readonly done: number; readonly total: number } | null
  readonly rows: readonly AdoptRow[]
  readonly chosen: number
  readonly problem: Problem | null
  /** Messages of a refused save about single definitions. */
  readonly faults: readonly string[]
  /** Whether the server keeps the proposed columns; null where nothing is proposed. */
  readonly keeps: boolean | null
  /** Whether rows belong to schools by the proposed columns; null where nothing is proposed. */
  readonly owns: boolean | null
  /** Whether columns are relations where their names tell; null where nothing is proposed. */
  readonly relates: boolean | null
  /** Whether passwords are stored as typed; null where no table has any. */
  readonly writesPasswords: boolean | null
  /** Tables without a draft, and why. */
  readonly refused: readonly { readonly table: string; readonly reason: string }[]
  /** How many more tables there are than can be saved at once. */
  readonly beyond: number
  readonly can: {
    readonly retry: boolean
    readonly choose: boolean
    readonly save: boolean
    readonly leave: boolean
  }
}

export function adoptTablesView(s: SnapshotFrom<typeof adoptTablesMachine>): AdoptTablesView {
  const { drafts, keeps, owns, relates, writesPasswords, problem, refused, beyond } = s.context
  const rows = drafts.map((draft) => buildAdoptRow(draft, s.context))
  return {
    step: resolveAdoptStep(s),
    progress: s.matches({ drafting: 'reading' })
      ? { done: s.context.done, total: s.context.tables.length }
      : null,
    rows,
    chosen: rows.filter(({ isChosen }) => isChosen).length,
    problem,
    faults: (problem?.issues ?? []).map(
      ({ path, msg }) => `${path.split('.').slice(1).join('.')}: ${msg}`,
    ),
    keeps: drafts.some(({ kept }) => kept) ? keeps : null,
    owns: drafts.some(({ school }) => school) ? owns : null,
    relates: drafts.some(({ links }) => links) ? relates : null,
    writesPasswords: drafts.some(({ passwords = [] }) => passwords.length > 0)
      ? writesPasswords
      : null,
    refused: refused.map(({ schema, name, reason }) => ({ table: `${schema}.${name}`, reason })),
    beyond,
    can: {
      retry: s.can({ type: 'adopt.retry' }),
      choose: s.matches('choosing'),
      save: s.can({ type: 'adopt.save' }),
      leave: s.can({ type: 'adopt.leave' }),
    },
  }
}

function buildAdoptRow(
  { definition, schema, name, key, rows, readOnly, leftOut, notes, links }: Draft,
  { left, names, relates }: AdoptTablesContext,
): AdoptRow {
  const { tag } = definition
  const fields = relates && links ? links.fields : definition.fields
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

function resolveAdoptStep(s: SnapshotFrom<typeof adoptTablesMachine>): AdoptTablesView['step'] {
  if (s.matches('drafting')) return 'drafting'
  if (s.matches('failed')) return 'failed'
  if (s.matches('choosing')) return 'choosing'
  return s.matches('saving') ? 'saving' : 'over'
}
