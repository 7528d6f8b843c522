import type { EntityConfig } from '@jiaowu/api/entity/config'
import { findKind } from '@jiaowu/api/fields/kinds'
import type { Message } from '@jiaowu/api/texts/index'
import { type Problem, toProblem, staleCode } from '@jiaowu/api/problem'
import type { Row, Values, WireValue } from '@jiaowu/api/entity/values'
import {
  type Faults,
  type FormPerson,
  listChangedFields,
  savedValues,
  valuesOfRow,
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
  /** The record whose values a new one begins with; nothing is stored until the form is saved. */
  readonly copyOf?: string
  /** Values that the user has pinned for new records of the entity, by attrName. */
  readonly pins?: Values
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
  /** The record that this one is a copy of. */
  readonly copied: Row | null
  /** Values for the next new record too. */
  readonly pins: Values
  /** Once the record is saved, the form opens for another one. */
  readonly next: boolean
}

export type EntityFormEvent =
  | { readonly type: 'field.change'; readonly attrName: string; readonly value: WireValue }
  | { readonly type: 'field.blur'; readonly attrName: string }
  | { readonly type: 'group.toggle'; readonly attrName: string }
  /** `next`: a new record is followed by another one. */
  | { readonly type: 'form.submit'; readonly next?: boolean }
  /** Keeps the value of a field for the next new record, or no more. */
  | { readonly type: 'pin.toggle'; readonly attrName: string }
  | { readonly type: 'form.retry' }
  | { readonly type: 'form.leave' }
  | { readonly type: 'leave.confirm' }
  | { readonly type: 'leave.cancel' }
  | { readonly type: 'stale.choose'; readonly attrName: string; readonly side: Side }
  | { readonly type: 'stale.save' }
  | { readonly type: 'stale.cancel' }

export type EntityFormEmitted =
  /** `next`: the form stays for another record. */
  | {
      readonly type: 'saved'
      readonly row: Row
      readonly message: Message
      readonly next: boolean
    }
  /** The surface keeps the pins of the user. */
  | { readonly type: 'pinned'; readonly pins: Values }
  | { readonly type: 'left' }
  /** Rules or the server refused fields: the surface focuses the first. */
  | { readonly type: 'invalid'; readonly attrName: string }

export function toMode({ input }: EntityFormContext) {
  return input.id === null ? 'add' : 'edit'
}

export function readConfig({ config }: EntityFormContext): EntityConfig {
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

export function mergeStaleValues(context: EntityFormContext): Values {
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

export function isStale(error: unknown): boolean {
  const problem = toProblem(error)
  return problem.code === staleCode && isRow(problem.data)
}

export function rowIn(error: unknown): Row {
  return toProblem(error).data as Row
}

/**
 * Whether the stored row has everything that the form sent. A password cannot be compared, so a form
 * with a new one still asks.
 */
export function isStored(context: EntityFormContext, theirs: Row): boolean {
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
export function changedSince(context: EntityFormContext): readonly string[] {
  return context.sent === null
    ? []
    : Object.keys(savedValues(readConfig(context), context.values, context.sent, toMode(context)))
}

/** Whether the server may have carried out the request although no answer says so. */
export function isLost(error: unknown): boolean {
  const { kind, code } = toProblem(error)
  return kind === 'transport' || kind === 'timeout' || (code >= 500 && code < 600)
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && 'id' in value
}
