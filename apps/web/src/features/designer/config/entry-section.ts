// The entry sheet of an entity (docs/rules/contract.md#entry-sheets), as data.
import { dictTypes } from '@jiaowu/api/entity/enums'
import type { EntrySheet } from '@jiaowu/api/entity/definition/definition'
import { isDerived } from '@jiaowu/api/entity/config'
import { findKind } from '@jiaowu/api/fields/kinds'
import type { DesignerEdit } from '@jiaowu/machines/designer/types'
import type { Draft } from '@jiaowu/machines/designer/draft'
import {
  type Choice,
  type ConfigRow,
  type ConfigSection,
  type ConfigTools,
  withCurrent,
  withKey,
} from './rows.ts'

type DraftField = Draft['fields'][number]

interface Subject {
  readonly draft: Draft
  readonly tools: ConfigTools
}

export function entrySection({ draft, tools }: Subject): ConfigSection {
  const { entry } = draft.options
  return {
    title: 'designer.section.entry',
    rows: [
      {
        path: 'options.entry',
        label: 'designer.a.entry',
        hint: 'designer.hint.entry',
        control: {
          is: 'switch',
          value: entry !== undefined,
          set: (on) => setEntryOption(on ? suggestedEntry(draft) : undefined),
        },
      },
      ...(entry === undefined ? [] : entryRows(entry, draft, tools)),
    ],
  }
}

const setEntryOption = (entry: EntrySheet | undefined): DesignerEdit => ({
  type: 'option.set',
  patch: { entry },
})

/** A sheet of the choices that lists filter by, with the other columns of the list. */
export function suggestedEntry(draft: Draft): EntrySheet {
  const by = draft.fields
    .filter((field) => namesSheet(field) && findKind(field.uiType).family === 'choice')
    .slice(0, 2)
    .map(({ attrName }) => attrName)
  const columns = draft.fields.filter(
    ({ attrName, isList }) => isList === 1 && !by.includes(attrName),
  )
  const counted =
    columns.find(
      (field) =>
        findKind(field.uiType).family === 'number' && field.isEdit === 1 && !isDerived(field),
    ) ?? columns.at(-1)
  const frozen = columns.find(({ attrName }) => attrName === draft.tagField) ?? columns[0]
  return {
    by,
    frozen: frozen === undefined ? [] : [frozen.attrName],
    columns: columns.filter((field) => field !== frozen).map(({ attrName }) => attrName),
    progress: counted?.attrName ?? '',
  }
}

/** Whether the value of a field can name a sheet: a search field of one value that is not personal. */
function namesSheet({ isQuery, uiType, pii }: DraftField): boolean {
  return isQuery === 1 && !findKind(uiType).multiple && pii === null
}

function entryRows(entry: EntrySheet, draft: Draft, tools: ConfigTools): readonly ConfigRow[] {
  const change = (patch: Partial<EntrySheet>) => setEntryOption({ ...entry, ...patch })
  const listed = draft.fields.filter(({ isList }) => isList === 1)
  const typed = listed.filter(
    (field) => entry.columns.includes(field.attrName) && !isDerived(field),
  )
  return [
    {
      path: 'options.entry.name',
      label: 'designer.a.entryName',
      control: {
        is: 'text',
        value: entry.name ?? '',
        set: (name) =>
          setEntryOption(withKey(entry, 'name', name.trim() === '' ? undefined : name)),
      },
    },
    {
      path: 'options.entry.nameEn',
      label: 'designer.a.nameEn',
      control: {
        is: 'text',
        value: entry.nameEn ?? '',
        set: (name) =>
          setEntryOption(withKey(entry, 'nameEn', name.trim() === '' ? undefined : name)),
      },
    },
    manyRow('by', entry.by, draft.fields.filter(namesSheet), (by) => change({ by })),
    manyRow('frozen', entry.frozen, listed, (frozen) => change({ frozen })),
    manyRow('columns', entry.columns, listed, (columns) => change({ columns })),
    {
      path: 'options.entry.progress',
      label: 'designer.a.entryProgress',
      control: {
        is: 'choice',
        value: entry.progress,
        items: withCurrent(choices(typed), entry.progress),
        set: (progress) => change({ progress }),
      },
    },
    {
      path: 'options.entry.passed',
      label: 'designer.a.entryPassed',
      control: {
        is: 'choice',
        value: entry.passed ?? '',
        items: withCurrent(
          [
            { value: '', text: tools.t('designer.none') },
            ...choices(draft.fields.filter(({ uiType }) => findKind(uiType).family === 'flag')),
          ],
          entry.passed ?? '',
        ),
        set: (name) => setEntryOption(withKey(entry, 'passed', name === '' ? undefined : name)),
      },
    },
    ...additionRows(entry, draft, tools),
  ]
}

/** Rows for the records that a relation leads to. */
function additionRows(
  entry: EntrySheet,
  draft: Draft,
  { t, attributes }: ConfigTools,
): readonly ConfigRow[] {
  const { add } = entry
  const relations = draft.fields.filter(
    ({ dictType, uiType, isAdd }) =>
      dictType === dictTypes.entity && !findKind(uiType).multiple && isAdd === 1,
  )
  const field: ConfigRow = {
    path: 'options.entry.add.field',
    label: 'designer.a.entryAdd',
    hint: 'designer.hint.entryAdd',
    control: {
      is: 'choice',
      value: add?.field ?? '',
      items: withCurrent(
        [{ value: '', text: t('designer.none') }, ...choices(relations)],
        add?.field ?? '',
      ),
      set: (name) =>
        setEntryOption(withKey(entry, 'add', name === '' ? undefined : { field: name, from: [] })),
    },
  }
  if (add === undefined) return [field]
  return [
    field,
    {
      path: 'options.entry.add.from',
      label: 'designer.a.entryFrom',
      control: {
        is: 'many',
        value: add.from,
        items: add.from.reduce(withCurrent, attributes),
        set: (from) => setEntryOption({ ...entry, add: { ...add, from: [...from] } }),
      },
    },
  ]
}

const labels = {
  by: 'designer.a.entryBy',
  frozen: 'designer.a.entryFrozen',
  columns: 'designer.a.entryColumns',
} as const

function manyRow(
  part: keyof typeof labels,
  value: readonly string[],
  fields: readonly DraftField[],
  set: (names: string[]) => DesignerEdit,
): ConfigRow {
  return {
    path: `options.entry.${part}`,
    label: labels[part],
    control: {
      is: 'many',
      ordered: true,
      value,
      items: value.reduce(withCurrent, choices(fields)),
      set: (names) => set([...names]),
    },
  }
}

function choices(fields: readonly DraftField[]): readonly Choice[] {
  return fields
    .toSorted((a, b) => a.uiSort - b.uiSort)
    .map(({ attrName, uiLabel }) => ({ value: attrName, text: uiLabel }))
}
