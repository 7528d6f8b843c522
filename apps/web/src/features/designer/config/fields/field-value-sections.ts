// Sections of a field about its value: validation, input, default and choices.
import {
  type defaultConstants,
  defaultTypes,
  dictTypes,
  validators,
} from '@jiaowu/api/entity/enums'
import type { FieldDefinition } from '@jiaowu/api/entity/definition/definition'
import { isMoney } from '@jiaowu/api/fields/money'
import { findKind } from '@jiaowu/api/fields/kinds'
import { parseDecimal } from '@jiaowu/api/fields/families'
import type { DesignerEdit } from '@jiaowu/machines/designer/types'
import { type BoundName, boundNames } from '@jiaowu/validation'
import { type FieldSubject, orNone, orNull, setField, setOption } from './field-edits.ts'
import { buildChoices, type ConfigRow, type ConfigSection, withCurrent, withKey } from '../rows.ts'

const constants: readonly (typeof defaultConstants)[number][] = [
  'currentUser',
  'currentOrg',
  'currentTime',
]

export function rules({ field, tools: { t } }: FieldSubject): ConfigSection {
  return {
    title: 'designer.section.rules',
    rows: [
      {
        path: 'valids.required',
        label: 'designer.a.validsRequired',
        control: {
          is: 'switch',
          value: field.valids.required === true,
          set: (on) =>
            setField(field.id, {
              valids: withKey(field.valids, 'required', on || undefined),
              isNull: on ? 0 : 1,
            }),
        },
      },
      {
        path: 'valids.maxLength',
        label: 'designer.a.validsMaxLength',
        control: {
          is: 'number',
          value: field.valids.maxLength ?? null,
          min: 1,
          max: 1_000_000,
          set: (value) =>
            setField(field.id, { valids: withKey(field.valids, 'maxLength', value ?? undefined) }),
        },
      },
      {
        path: 'valids.minLength',
        label: 'designer.a.validsMinLength',
        control: {
          is: 'number',
          value: field.valids.minLength ?? null,
          min: 1,
          max: 1_000_000,
          set: (value) =>
            setField(field.id, { valids: withKey(field.valids, 'minLength', value ?? undefined) }),
        },
      },
      ...(findKind(field.uiType).family === 'number'
        ? boundNames.map((name) => boundRow(field, name))
        : []),
      {
        path: 'valids.type',
        label: 'designer.a.validsType',
        control: {
          is: 'many',
          value: (field.valids.type ?? '')
            .split(',')
            .map((word) => word.trim())
            .filter((word) => word !== ''),
          items: buildChoices(validators, (name) => t(`enum.validator.${name}`)),
          set: (names) =>
            setField(field.id, { valids: withKey(field.valids, 'type', orNone(names.join(','))) }),
        },
      },
    ],
  }
}

const boundLabels = {
  min: 'designer.a.validsMin',
  max: 'designer.a.validsMax',
  step: 'designer.a.validsStep',
} as const

/** A bound: a number, or an expression that names fields of the row. */
function boundRow({ id, valids }: FieldSubject['field'], name: BoundName): ConfigRow {
  return {
    path: `valids.${name}`,
    label: boundLabels[name],
    hint: 'designer.hint.bound',
    control: {
      is: 'text',
      mono: true,
      value: String(valids[name] ?? ''),
      placeholder: name === 'max' ? 'row.course.fullMark' : '',
      set: (text) => setField(id, { valids: withKey(valids, name, boundIn(text)) }),
    },
  }
}

function boundIn(text: string): number | string | undefined {
  const plain = text.trim()
  if (plain === '') return undefined
  const number = parseDecimal(plain)
  // Kept as it is typed until it is a number as a whole: `1.` and `1.50` are on the way to one.
  return number !== undefined && String(number) === plain ? number : text
}

/** Words between commas of any kind; none without a word. */
function splitWords(text: string): string[] | undefined {
  const words = text.split(/[、,，;；]/).map((word) => word.trim())
  const given = [...new Set(words)].filter((word) => word !== '')
  return given.length === 0 ? undefined : given
}

export function buildInputSection({ field, draft, tools }: FieldSubject): ConfigSection {
  return {
    title: 'designer.section.input',
    rows: [
      {
        path: 'options.placeholder',
        label: 'designer.a.placeholder',
        control: {
          is: 'text',
          value: field.options.placeholder ?? '',
          set: (value) => setOption(field, 'placeholder', orNone(value)),
        },
      },
      {
        path: 'options.help',
        label: 'designer.a.help',
        control: {
          is: 'text',
          lines: 2,
          value: field.options.help ?? '',
          set: (value) => setOption(field, 'help', orNone(value)),
        },
      },
      {
        path: 'options.synonyms',
        label: 'designer.a.synonyms',
        control: {
          is: 'text',
          value: (field.options.synonyms ?? []).join('、'),
          set: (value) => setOption(field, 'synonyms', splitWords(value)),
        },
      },
      {
        path: 'options.maxLength',
        label: 'designer.a.maxLength',
        control: {
          is: 'number',
          value: field.options.maxLength ?? null,
          min: 1,
          max: 1_000_000,
          set: (value) => setOption(field, 'maxLength', value ?? undefined),
        },
      },
      ...(findKind(field.uiType).family === 'number'
        ? [
            {
              path: 'options.precision',
              label: 'designer.a.precision',
              control: {
                is: 'number',
                value: field.options.precision ?? null,
                min: 0,
                max: 10,
                set: (value: number | null) => setOption(field, 'precision', value ?? undefined),
              },
            } as const,
            {
              path: 'options.money',
              label: 'designer.a.money',
              hint: 'designer.hint.money',
              control: {
                is: 'switch',
                value: isMoney(field),
                set: (on: boolean) => setOption(field, 'money', on ? 'fen' : undefined),
              },
            } as const,
            ...buildLowRows({ field, draft, tools }),
          ]
        : []),
    ],
  }
}

/** Which numbers are low: those below a number, or those of rows in which a switch is off. */
function buildLowRows({
  field,
  draft,
  tools: { t },
}: Pick<FieldSubject, 'field' | 'draft' | 'tools'>): readonly ConfigRow[] {
  const { warnBelow, warnUnless = '' } = field.options
  const flags = draft.fields
    .filter(({ uiType, isList }) => isList === 1 && findKind(uiType).family === 'flag')
    .map(({ attrName, uiLabel }) => ({ value: attrName, text: uiLabel }))
  return [
    {
      path: 'options.warnBelow',
      label: 'designer.a.warnBelow',
      control: {
        is: 'number',
        value: warnBelow ?? null,
        min: -1_000_000_000,
        max: 1_000_000_000,
        set: (value) => setOption(field, 'warnBelow', value ?? undefined),
      },
    },
    {
      path: 'options.warnUnless',
      label: 'designer.a.warnUnless',
      hint: 'designer.hint.warnUnless',
      control: {
        is: 'choice',
        value: warnUnless,
        items: withCurrent([{ value: '', text: t('designer.none') }, ...flags], warnUnless),
        set: (name) => setOption(field, 'warnUnless', orNone(name)),
      },
    },
  ]
}

/** The formula of a derived field. */
export function formula({ field }: FieldSubject): ConfigSection {
  return {
    title: 'designer.section.formula',
    rows: [
      {
        path: 'derived',
        label: 'designer.a.formula',
        hint: 'designer.hint.formula',
        control: {
          is: 'text',
          lines: 3,
          mono: true,
          value: field.derived ?? '',
          placeholder: 'round(row.score / 10, 1)',
          set: (value) => setField(field.id, { derived: orNone(value) ?? null }),
        },
      },
    ],
  }
}

export function defaults(subject: FieldSubject): ConfigSection {
  const {
    field,
    tools: { t, maySql },
  } = subject
  const items = buildChoices(
    ([-1, 0, 1, 2, 3] as const).filter(
      (type) => maySql || type !== defaultTypes.sql || field.uiDefaultType === type,
    ),
    (type) => t(`enum.defaultType.${type}`),
  )
  return {
    title: 'designer.section.default',
    rows: [
      {
        path: 'uiDefaultType',
        label: 'designer.a.uiDefaultType',
        control: {
          is: 'choice',
          value: String(field.uiDefaultType),
          items,
          set: (value) =>
            setField(field.id, {
              uiDefaultType: Number(value) as FieldDefinition['uiDefaultType'],
            }),
        },
      },
      ...defaultRow(subject),
    ],
  }
}

function defaultRow({ field, tools: { t, maySql } }: FieldSubject): readonly ConfigRow[] {
  const path = 'defaultValue'
  const value = field.defaultValue ?? ''
  const edit = (text: string) => setField(field.id, { defaultValue: orNull(text) })
  switch (field.uiDefaultType) {
    case defaultTypes.context:
      return [
        {
          path,
          label: 'designer.a.defaultValue',
          control: {
            is: 'choice',
            value,
            items: [
              { value: '', text: '—' },
              ...buildChoices(constants, (name) => t(`enum.defaultConstant.${name}`)),
            ],
            set: edit,
          },
        },
      ]
    case defaultTypes.sql:
      return [sqlRow(path, field.defaultValue, maySql, edit)]
    case defaultTypes.text:
      return findKind(field.uiType).family === 'flag'
        ? [
            {
              path,
              label: 'designer.a.defaultValue',
              control: {
                is: 'choice',
                value,
                items: [
                  { value: '', text: '—' },
                  { value: '1', text: t('common.yes') },
                  { value: '0', text: t('common.no') },
                ],
                set: edit,
              },
            },
          ]
        : [{ path, label: 'designer.a.defaultValue', control: { is: 'text', value, set: edit } }]
    case defaultTypes.constant:
      return [
        {
          path,
          label: 'designer.a.defaultValue',
          control: { is: 'text', mono: true, value, set: edit },
        },
      ]
    default:
      return []
  }
}

export function source(subject: FieldSubject): ConfigSection {
  const {
    field,
    tools: { t, maySql },
  } = subject
  const items = buildChoices(
    ([-1, 0, 1, 2] as const).filter(
      (type) => maySql || type !== dictTypes.sql || field.dictType === type,
    ),
    (type) => t(`enum.dictType.${type}`),
  )
  return {
    title: 'designer.section.source',
    rows: [
      {
        path: 'dictType',
        label: 'designer.a.dictType',
        control: {
          is: 'choice',
          value: String(field.dictType),
          items,
          set: (value) =>
            setField(field.id, { dictType: Number(value) as FieldDefinition['dictType'] }),
        },
      },
      ...sourceRow(subject),
    ],
  }
}

function sourceRow({
  field,
  tools: { dictionaries, entities, attributes, maySql },
}: FieldSubject): readonly ConfigRow[] {
  const path = 'dictValue'
  const edit = (text: string) => setField(field.id, { dictValue: orNull(text.trim()) })
  const [tag = '', attr = ''] = (field.dictValue ?? '').split('.')
  switch (field.dictType) {
    case dictTypes.dictionary:
      return [
        {
          path,
          label: 'designer.a.dictCode',
          control: {
            is: 'text',
            mono: true,
            value: field.dictValue ?? '',
            suggestions: dictionaries,
            set: edit,
          },
        },
      ]
    case dictTypes.entity:
      return [
        {
          path,
          label: 'designer.a.dictEntity',
          control: {
            is: 'choice',
            value: tag,
            items: withCurrent([{ value: '', text: '—' }, ...entities], tag),
            set: (value) => edit(value === '' ? '' : `${value}.name`),
          },
        },
        {
          path: 'dictValue.attr',
          label: 'designer.a.dictAttr',
          control: {
            is: 'choice',
            value: attr,
            items: withCurrent(attributes, attr),
            set: (value) => edit(`${tag}.${value}`),
          },
        },
      ]
    case dictTypes.sql:
      return [
        sqlRow(path, field.dictValue, maySql, (text) =>
          setField(field.id, { dictValue: orNull(text) }),
        ),
      ]
    default:
      return []
  }
}

/** SQL text; masked for users without the permission to edit SQL. */
function sqlRow(
  path: string,
  value: string | null,
  maySql: boolean,
  edit: (value: string) => DesignerEdit,
): ConfigRow {
  return maySql
    ? {
        path,
        label: 'designer.a.sql',
        hint: 'designer.hint.bind',
        control: { is: 'text', lines: 4, mono: true, value: value ?? '', set: edit },
      }
    : {
        path,
        label: 'designer.a.sql',
        hint: 'designer.hint.needsSql',
        control: { is: 'shown', value: value === null ? '' : '••••••' },
      }
}
