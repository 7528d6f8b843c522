// Edits of cells: read, checked, kept until it is stored, and settled by the answers.
import type { Field } from '@jiaowu/api/entity/config'
import { isEmpty, findKind } from '@jiaowu/api/fields/kinds'
import { limits } from '@jiaowu/api/limits'
import { looksMasked } from '@jiaowu/api/pii'
import type { Message } from '@jiaowu/api/texts/index'
import { type Problem, staleCode } from '@jiaowu/api/problem'
import type { Row, Values, WireValue } from '@jiaowu/api/entity/values'
import {
  readTyped,
  sentValue,
  unwrapLines,
  validateField,
  validateValues,
} from '@jiaowu/validation'
import { changeValue, sameIds } from '../../entity-form/values.ts'
import type { ChangedBy, GridAction, GridContext, RowEdit } from '../context.ts'
import type { RowSave, SaveAnswer } from '../ports.ts'
import { type FoundRow, rowAt, shownValue, valuesOfRow, withRow } from '../selection/places.ts'

type Edits = GridContext['edits']
export interface CellChange {
  readonly index: number
  readonly field: Field
  readonly value: WireValue
}
type Fault = string | Message

/** A typed or chosen value in the form that its field stores, or why it is none. */
function readCell(
  field: Field,
  value: WireValue,
  row: Values | null,
): { readonly value: WireValue; readonly fault: Fault | null } {
  if (typeof value !== 'string')
    return { value, fault: validateField(field, value, row)?.message ?? null }
  if (findKind(field.uiType).family === 'choice') return readChoice(field, value)
  const typed = readTyped(field, value)
  if (typed.value === undefined)
    return { value: sentValue(field, value), fault: typed.fault?.message ?? null }
  const stored = isEmpty(typed.value) ? findKind(field.uiType).empty : typed.value
  return { value: stored, fault: validateField(field, stored, row)?.message ?? null }
}

/** Choices are found by name, or by id, among the items that came with the definition. */
function readChoice(field: Field, text: string): ReturnType<typeof readCell> {
  const plain = text.trim()
  if (plain === '') return { value: [], fault: validateField(field, [])?.message ?? null }
  const found = (word: string) =>
    field.dictData?.find(({ name }) => name === word) ??
    field.dictData?.find(({ id }) => id === word)
  const words = findKind(field.uiType).multiple ? wordsIn(plain, field.dictData ?? []) : [plain]
  const items = words.map((word) => found(word.trim()))
  return items.every((item) => item !== undefined)
    ? { value: items.map(({ id, name }) => ({ id, name })), fault: null }
    : { value: text, fault: { key: 'grid.noChoice', params: { text: plain } } }
}

/** The names in a list of choices, of which some may hold a separator themselves. */
function wordsIn(text: string, items: NonNullable<Field['dictData']>): string[] {
  const words: string[] = []
  let rest = text
  for (;;) {
    const known = items
      .filter(
        ({ name }) => rest.startsWith(name) && /^\s*(?:[,，、;；]|$)/.test(rest.slice(name.length)),
      )
      .map(({ name }) => name)
      .toSorted((a, b) => b.length - a.length)
    const end = known[0]?.length ?? rest.search(/[,，、;；]|$/)
    words.push(rest.slice(0, end))
    const next = /^\s*[,，、;；]\s*/.exec(rest.slice(end))
    if (next === null) return words
    rest = rest.slice(end + next[0].length)
  }
}

/** A value as the import of a paste takes it: what cannot be read here is left for the server to name. */
export function pastedValue(field: Field, text: string): WireValue {
  const { value } = readCell(field, text, null)
  return isEmpty(value) ? null : value
}

/** Whether a pasted cell of a field of one line was wrapped: its line breaks become blanks. */
export function isWrapped(field: Field, text: string): boolean {
  return unwrapLines(field, text) !== text.trim() && findKind(field.uiType).singleLine
}

/**
 * Keeps changed cells, cascade children emptied with their parents. `expects`: what the cells held
 * after the step that is undone.
 */
export function changeCells(
  context: GridContext,
  changes: readonly CellChange[],
  expects: readonly WireValue[] | null = null,
): { readonly edits: Edits; readonly action: GridAction | null } {
  let { edits } = context
  const cells: Extract<GridAction, { kind: 'cells' }>['cells'][number][] = []
  for (const [i, { index, field, value }] of changes.entries()) {
    const found = rowAt({ ...context, edits }, index)
    if (found === null) continue
    const next = buildChangedCell(context, found, field, value)
    cells.push(...next.cells)
    edits = withEdit(edits, found.key, {
      ...next.edit,
      ...(expects === null
        ? {}
        : { expects: { ...next.edit.expects, [field.attrName]: expects[i] ?? null } }),
    })
  }
  return { edits, action: cells.length === 0 ? null : { kind: 'cells', cells } }
}

function buildChangedCell(
  { config, columns }: GridContext,
  found: FoundRow,
  field: Field,
  typed: WireValue,
): { edit: RowEdit; cells: Extract<GridAction, { kind: 'cells' }>['cells'] } {
  const before = shownValue(found, field)
  const edit = found.edit ?? newEdit(found)
  const { value, fault } = readCell(field, typed, valuesOfRow(found))
  if (sameIds(before, value) || (typeof value === 'string' && looksMasked(value)))
    return { edit: fault === null ? withoutFault(edit, field.attrName) : edit, cells: [] }
  const all = Object.fromEntries(
    columns.map((each) => [each.attrName, shownValue(found, each)] as const),
  )
  const next =
    config === null
      ? { ...all, [field.attrName]: value }
      : changeValue(config, all, {}, field.attrName, value).values
  const names = columns
    .map(({ attrName }) => attrName)
    .filter((name) => !sameIds(all[name], next[name]))
  return {
    edit: withFault(
      {
        ...edit,
        values: {
          ...edit.values,
          ...Object.fromEntries(names.map((name) => [name, next[name] ?? null])),
        },
      },
      field.attrName,
      fault,
    ),
    cells: names.map((attrName) => ({
      key: found.key,
      attrName,
      before: all[attrName] ?? null,
      after: next[attrName] ?? null,
    })),
  }
}

export function newEdit({ id, row }: Pick<FoundRow, 'id' | 'row'>): RowEdit {
  return {
    id,
    base: row,
    values: {},
    sent: null,
    isSaving: false,
    faults: {},
    theirs: null,
    expects: null,
    isReleased: id !== null,
    theirsBy: null,
    isWhole: false,
  }
}

function withFault(edit: RowEdit, attrName: string, fault: Fault | null): RowEdit {
  const rest = withoutFault(edit, attrName)
  return fault === null ? rest : { ...rest, faults: { ...rest.faults, [attrName]: fault } }
}

/** A changed cell also ends a refusal of the whole row. */
function withoutFault(edit: RowEdit, attrName: string): RowEdit {
  const { [attrName]: _own, '': _row, ...faults } = edit.faults
  return { ...edit, faults }
}

/** Keeps an edit while it has something to store or a row of its own. */
export function withEdit(edits: Edits, key: string, edit: RowEdit | null): Edits {
  const { [key]: _old, ...others } = edits
  const kept = edit === null ? null : withoutStored(edit)
  return kept === null ||
    (kept.id !== null && Object.keys(kept.values).length === 0 && kept.sent === null)
    ? others
    : { ...others, [key]: kept }
}

/** Without values that equal those of the row as it is stored now. */
function withoutStored(edit: RowEdit): RowEdit {
  const base = edit.theirs ?? edit.base
  if (base === null || edit.sent !== null) return edit
  const kept = Object.entries(edit.values).filter(([name, value]) => !sameCell(base, name, value))
  return kept.length === Object.keys(edit.values).length
    ? edit
    : { ...edit, values: Object.fromEntries(kept) }
}

/** New rows that the focus has left are checked and sent. `isLeft`: it is in none of them any more. */
export function releaseNewRows(context: GridContext, isLeft = false): Edits {
  const { config, selection, added, edits, total } = context
  const focused = added[selection.anchor.row - (total ?? 0)]?.key
  return Object.fromEntries(
    Object.entries(edits).map(([key, edit]) => {
      if (edit.id !== null || edit.isReleased || (key === focused && !isLeft) || isBlankEdit(edit))
        return [key, edit] as const
      const faults = validateValues(config?.fields ?? [], edit.values, 'add')
      return [
        key,
        {
          ...edit,
          isReleased: true,
          faults: {
            ...Object.fromEntries(faults.map(({ path, message }) => [path, message] as const)),
            ...edit.faults,
          },
        },
      ] as const
    }),
  )
}

export function isBlankEdit({ values }: RowEdit): boolean {
  return Object.values(values).every(isEmpty)
}

/** The values of a row that can be sent now; null: none. */
function sendable(edit: RowEdit): Values | null {
  if (edit.isSaving || edit.theirs !== null || !edit.isReleased || '' in edit.faults) return null
  const isRefused = Object.keys(edit.faults).length > 0
  if (edit.isWhole && isRefused) return null
  if (edit.id === null) return isRefused ? null : (edit.sent ?? edit.values)
  const values = Object.fromEntries(
    Object.entries(edit.values).filter(([name]) => !Object.hasOwn(edit.faults, name)),
  )
  return Object.keys(values).length === 0 ? null : values
}

export function hasWaiting(edits: Edits): boolean {
  return Object.values(edits).some((edit) => sendable(edit) !== null)
}

/** Marks the next rows as being saved. */
export function takeBatch(edits: Edits): Edits {
  let left: number = limits.gridBatch
  return Object.fromEntries(
    Object.entries(edits).map(([key, edit]) => {
      const values = left === 0 ? null : sendable(edit)
      if (values === null) return [key, edit] as const
      left -= 1
      return [key, { ...edit, isSaving: true, sent: values }] as const
    }),
  )
}

export function buildSaveBatch(edits: Edits): RowSave[] {
  return Object.entries(edits).flatMap(([key, edit]) =>
    edit.isSaving
      ? [
          {
            key,
            id: edit.id,
            version: edit.base?.version ?? null,
            values: edit.sent ?? {},
            expects: (edit.base?.version ?? null) === null ? edit.expects : null,
          },
        ]
      : [],
  )
}

export interface Settled {
  readonly edits: Edits
  readonly blocks: GridContext['blocks']
  readonly added: GridContext['added']
  /** Numbers of rows that were stored, refused, changed by somebody else, and without an answer. */
  readonly stored: number
  readonly refused: number
  readonly stale: number
  readonly lost: number
  /** Why one of them has none. */
  readonly problem: Problem | null
  /** New rows by their key. */
  readonly made: readonly { readonly key: string; readonly row: Row; readonly values: Values }[]
}

/** Applies the answers of a round of saves. A row without an answer waits for the next round. */
export function settleRound(context: GridContext, answers: readonly SaveAnswer[]): Settled {
  let { edits, blocks, added } = context
  const counts = { stored: 0, refused: 0, stale: 0, lost: 0, again: 0 }
  const made: Settled['made'][number][] = []
  for (const [key, edit] of Object.entries(context.edits)) {
    if (!edit.isSaving) continue
    const answer = answers.find((each) => each.key === key)
    const result = applySaveAnswer(edit, answer)
    counts[result.as] += 1
    if (result.row !== null) {
      const stored = result.row
      if (edit.id === null) {
        made.push({ key, row: stored, values: edit.sent ?? {} })
        added = added.map((each) => (each.key === key ? { ...each, row: stored } : each))
        edits = withEdit(edits, key, null)
      } else ({ blocks, added } = withRow({ blocks, added }, stored))
    }
    edits = withEdit(edits, edit.id === null ? (result.row?.id ?? key) : key, result.edit)
  }
  const unanswered = answers.flatMap((each) =>
    'problem' in each && isLost(each.problem) ? [each.problem] : [],
  )
  return { edits, blocks, added, ...counts, made, problem: unanswered[0] ?? null }
}

interface Answered {
  readonly as: 'stored' | 'refused' | 'stale' | 'lost' | 'again'
  readonly edit: RowEdit
  /** The row as it is stored now, where the answer says so. */
  readonly row: Row | null
}

function applySaveAnswer(edit: RowEdit, answer: SaveAnswer | undefined): Answered {
  const open: RowEdit = { ...edit, isSaving: false }
  if (answer === undefined) return keepLostEdit(open)
  if ('row' in answer) return keepUnsentValues(open, answer.row)
  const { problem } = answer
  if (problem.code === staleCode && isRow(problem.data))
    return stale(open, problem.data, answer.by ?? null)
  if (isLost(problem)) return keepLostEdit(open)
  const issues = problem.issues.filter(({ path }) => Object.hasOwn(edit.sent ?? {}, path))
  return {
    as: 'refused',
    row: null,
    edit: {
      ...open,
      sent: null,
      faults: {
        ...open.faults,
        ...(issues.length === 0
          ? { '': problem.message }
          : Object.fromEntries(issues.map(({ path, msg }) => [path, msg] as const))),
      },
    },
  }
}

/** Only a create must be repeated unchanged: an update is repeated with its version. */
function keepLostEdit(edit: RowEdit): Answered {
  return { as: 'lost', row: null, edit: edit.id === null ? edit : { ...edit, sent: null } }
}

/** Keeps the values typed since the save was sent for the next round. */
function keepUnsentValues(edit: RowEdit, row: Row): Answered {
  const { sent } = edit
  const values = Object.fromEntries(
    Object.entries(edit.values).filter(
      ([name, value]) => !Object.hasOwn(sent ?? {}, name) || !sameIds(value, sent?.[name]),
    ),
  )
  return {
    as: 'stored',
    row,
    edit: {
      ...edit,
      id: row.id,
      base: row,
      values,
      sent: null,
      expects: null,
      isReleased: true,
      isWhole: false,
    },
  }
}

/** Somebody else saved the row: a conflict only where they changed the same cells. */
function stale(edit: RowEdit, theirs: Row, by: ChangedBy | null): Answered {
  const sent = edit.sent ?? {}
  const wanted = edit.expects ?? edit.base
  const names = Object.keys(sent)
  const isDone = names.every((name) => sameCell(theirs, name, sent[name]))
  if (isDone) return keepUnsentValues(edit, theirs)
  const isApart = wanted !== null && names.every((name) => sameCell(theirs, name, wanted[name]))
  return isApart
    ? { as: 'again', row: theirs, edit: { ...edit, base: theirs, sent: null, expects: null } }
    : {
        as: 'stale',
        row: theirs,
        edit: { ...edit, sent: null, theirs, theirsBy: by, expects: null },
      }
}

function sameCell(row: Row, name: string, value: WireValue | undefined): boolean {
  const plain = (each: WireValue | undefined) => (isEmpty(each) ? null : (each ?? null))
  return sameIds(plain(row[name]), plain(value))
}

/** Ends a conflict: what was typed replaces the newer row, or is dropped. */
export function resolveConflict(context: GridContext, key: string, side: 'mine' | 'theirs') {
  const edit = context.edits[key]
  if (edit === undefined || edit.theirs === null) return {}
  const { theirs } = edit
  return {
    ...withRow(context, theirs),
    edits: withEdit(
      context.edits,
      key,
      side === 'theirs' ? null : { ...edit, base: theirs, theirs: null, theirsBy: null },
    ),
  }
}

/** Whether no answer says that the row was stored or refused. */
export function isLost({ kind, code }: Problem): boolean {
  return (
    kind === 'transport' ||
    kind === 'timeout' ||
    kind === 'session' ||
    code === 429 ||
    (code >= 500 && code < 600)
  )
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && 'id' in value
}
