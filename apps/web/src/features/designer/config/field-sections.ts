// Everything a field of the designer has (docs/spec/2-student-service-and-designer.md §3), as data.
import {
  type defaultConstants,
  defaultTypes,
  dictTypes,
  type FieldDefinition,
  holdsValue,
  kindOf,
  linkTypes,
  type TableColumn,
  uiTypes,
  uiWidths,
  validators,
} from '@jiaowu/api'
import { type DesignerEdit, type Draft, type Flag, suggestedName } from '@jiaowu/machines'
import {
  choicesOf,
  type ConfigRow,
  type ConfigSection,
  type ConfigTools,
  withCurrent,
  withKey,
} from './rows.ts'

interface Subject {
  readonly field: FieldDefinition
  readonly draft: Draft
  readonly columns: readonly TableColumn[]
  readonly tools: ConfigTools
}
type FieldOptions = FieldDefinition['options']
const orNone = (text: string): string | undefined => (text.trim() === '' ? undefined : text)
const orNull = (text: string): string | null => orNone(text) ?? null

const constants: readonly (typeof defaultConstants)[number][] = [
  'currentUser',
  'currentOrg',
  'currentTime',
]

/** The configuration of a field, section by section; what does not apply is absent. */
export function fieldSections(subject: Subject): readonly ConfigSection[] {
  const { field } = subject
  if (!holdsValue(field.uiType)) return [basic(subject), where(subject)]
  const choosing = kindOf(field.uiType).family === 'choice'
  return [
    basic(subject),
    where(subject),
    rules(subject),
    input(subject),
    defaults(subject),
    ...(choosing || field.dictType !== dictTypes.none ? [source(subject)] : []),
    ...(choosing || (field.options.cascades ?? []).length > 0
      ? [{ title: 'designer.section.cascade', rows: [], editor: 'cascades' } as const]
      : []),
    ...(field.isQuery === 1 ? [query(subject)] : []),
    ...(field.isList === 1 ? [listColumn(subject)] : []),
    link(subject),
    column(subject),
  ]
}

function basic({ field, tools: { t } }: Subject): ConfigSection {
  return {
    title: 'designer.section.basic',
    rows: [
      {
        path: 'uiLabel',
        label: 'designer.a.uiLabel',
        control: { is: 'text', value: field.uiLabel, set: (uiLabel) => set(field.id, { uiLabel }) },
      },
      {
        path: 'options.labelEn',
        label: 'designer.a.labelEn',
        control: {
          is: 'text',
          value: field.options.labelEn ?? '',
          set: (value) => setOption(field, 'labelEn', orNone(value)),
        },
      },
      {
        path: 'attrName',
        label: 'designer.a.attrName',
        control: {
          is: 'text',
          mono: true,
          value: field.attrName,
          placeholder: suggestedName(field),
          set: (value) => set(field.id, { attrName: value.trim() }),
        },
      },
      {
        path: 'uiType',
        label: 'designer.a.uiType',
        control: {
          is: 'choice',
          value: field.uiType,
          items: choicesOf(uiTypes, (type) => t(`enum.uiType.${type}`)),
          set: (value) => set(field.id, { uiType: value as FieldDefinition['uiType'] }),
        },
      },
      {
        path: 'uiWidth',
        label: 'designer.a.uiWidth',
        control: {
          is: 'choice',
          value: String(field.uiWidth),
          items: withCurrent(choicesOf(uiWidths, String), String(field.uiWidth)),
          set: (value) => set(field.id, { uiWidth: Number(value) }),
        },
      },
      {
        path: 'comments',
        label: 'designer.a.comments',
        control: {
          is: 'text',
          lines: 2,
          value: field.comments ?? '',
          set: (value) => set(field.id, { comments: orNull(value) }),
        },
      },
    ],
  }
}

function set(id: string, patch: Partial<FieldDefinition>): DesignerEdit {
  return {
    type: 'field.set',
    id,
    patch,
  }
}

function setOption<K extends keyof FieldOptions>(
  { id, options }: FieldDefinition,
  key: K,
  value: FieldOptions[K] | undefined,
) {
  return set(id, { options: withKey(options, key, value) })
}

function where({ field, tools }: Subject): ConfigSection {
  return {
    title: 'designer.section.where',
    rows: holdsValue(field.uiType)
      ? [
          ...(['isList', 'isQuery', 'isDetail', 'isExport'] as const).map((flag) =>
            flagRow(field, flag),
          ),
          modeRow(field, 'isAdd', tools),
          modeRow(field, 'isEdit', tools),
          {
            path: 'disabled',
            label: 'designer.a.disabled',
            control: {
              is: 'switch',
              value: field.disabled,
              set: (disabled) => set(field.id, { disabled }),
            },
          },
        ]
      : [
          flagRow(field, 'isDetail'),
          modeRow(field, 'isAdd', tools),
          modeRow(field, 'isEdit', tools),
        ],
  }
}

function flagRow(field: FieldDefinition, flag: Flag, isInverse = false): ConfigRow {
  return {
    path: flag,
    label: `designer.a.${flag}`,
    control: {
      is: 'switch',
      value: (field[flag] === 1) !== isInverse,
      set: () => ({ type: 'field.toggle', id: field.id, flag }),
    },
  }
}

function modeRow(field: FieldDefinition, path: 'isAdd' | 'isEdit', { t }: ConfigTools): ConfigRow {
  return {
    path,
    label: `designer.a.${path}`,
    control: {
      is: 'choice',
      value: String(field[path]),
      items: choicesOf([0, 1, 2] as const, (mode) => t(`enum.editMode.${mode}`)),
      set: (value) => set(field.id, { [path]: Number(value) }),
    },
  }
}

function rules({ field, tools: { t } }: Subject): ConfigSection {
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
            set(field.id, {
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
            set(field.id, { valids: withKey(field.valids, 'maxLength', value ?? undefined) }),
        },
      },
      {
        path: 'valids.type',
        label: 'designer.a.validsType',
        control: {
          is: 'many',
          value: (field.valids.type ?? '')
            .split(',')
            .map((word) => word.trim())
            .filter((word) => word !== ''),
          items: choicesOf(validators, (name) => t(`enum.validator.${name}`)),
          set: (names) =>
            set(field.id, { valids: withKey(field.valids, 'type', orNone(names.join(','))) }),
        },
      },
    ],
  }
}

function input({ field }: Subject): ConfigSection {
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
      ...(kindOf(field.uiType).family === 'number'
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
          ]
        : []),
    ],
  }
}

function defaults(subject: Subject): ConfigSection {
  const {
    field,
    tools: { t, maySql },
  } = subject
  const items = choicesOf(
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
            set(field.id, { uiDefaultType: Number(value) as FieldDefinition['uiDefaultType'] }),
        },
      },
      ...defaultRow(subject),
    ],
  }
}

function defaultRow({ field, tools: { t, maySql } }: Subject): readonly ConfigRow[] {
  const path = 'defaultValue'
  const value = field.defaultValue ?? ''
  const edit = (text: string) => set(field.id, { defaultValue: orNull(text) })
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
              ...choicesOf(constants, (name) => t(`enum.defaultConstant.${name}`)),
            ],
            set: edit,
          },
        },
      ]
    case defaultTypes.sql:
      return [sqlRow(path, field.defaultValue, maySql, edit)]
    case defaultTypes.text:
      return kindOf(field.uiType).family === 'flag'
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

function source(subject: Subject): ConfigSection {
  const {
    field,
    tools: { t, maySql },
  } = subject
  const items = choicesOf(
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
          set: (value) => set(field.id, { dictType: Number(value) as FieldDefinition['dictType'] }),
        },
      },
      ...sourceRow(subject),
    ],
  }
}

function sourceRow({
  field,
  tools: { dictionaries, entities, attributes, maySql },
}: Subject): readonly ConfigRow[] {
  const path = 'dictValue'
  const edit = (text: string) => set(field.id, { dictValue: orNull(text.trim()) })
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
        sqlRow(path, field.dictValue, maySql, (text) => set(field.id, { dictValue: orNull(text) })),
      ]
    default:
      return []
  }
}

function query({ field, tools: { t } }: Subject): ConfigSection {
  return {
    title: 'designer.section.query',
    rows: [
      {
        path: 'queryType',
        label: 'designer.a.queryType',
        control: {
          is: 'choice',
          value: field.queryType,
          items: withCurrent(
            choicesOf(kindOf(field.uiType).operators, (name) => t(`enum.queryType.${name}`)),
            field.queryType,
          ),
          set: (queryType) => set(field.id, { queryType }),
        },
      },
    ],
  }
}

function listColumn({ field, tools: { t } }: Subject): ConfigSection {
  const { label = '', width = null, align = '', fixed = '' } = field.options.column ?? {}
  return {
    title: 'designer.section.listColumn',
    rows: [
      {
        path: 'options.column.label',
        label: 'designer.a.columnLabel',
        control: {
          is: 'text',
          value: label,
          placeholder: field.uiLabel,
          set: (value) => setColumn(field, 'label', orNone(value)),
        },
      },
      {
        path: 'options.column.width',
        label: 'designer.a.columnWidth',
        control: {
          is: 'number',
          value: width,
          min: 40,
          max: 1200,
          set: (value) => setColumn(field, 'width', value ?? undefined),
        },
      },
      {
        path: 'options.column.align',
        label: 'designer.a.columnAlign',
        control: {
          is: 'choice',
          value: align,
          items: [
            { value: '', text: t('designer.unset') },
            ...choicesOf(['left', 'center', 'right'] as const, (side) =>
              t(`designer.align.${side}`),
            ),
          ],
          set: (value) => setColumn(field, 'align', value === '' ? undefined : (value as 'left')),
        },
      },
      {
        path: 'options.column.fixed',
        label: 'designer.a.columnFixed',
        control: {
          is: 'choice',
          value: fixed,
          items: [
            { value: '', text: t('designer.none') },
            ...choicesOf(['left', 'right'] as const, (side) => t(`designer.align.${side}`)),
          ],
          set: (value) => setColumn(field, 'fixed', value === '' ? undefined : (value as 'left')),
        },
      },
    ],
  }
}

function setColumn<K extends keyof NonNullable<FieldOptions['column']>>(
  field: FieldDefinition,
  key: K,
  value: NonNullable<FieldOptions['column']>[K] | undefined,
): DesignerEdit {
  const column = withKey(field.options.column ?? {}, key, value)
  return setOption(field, 'column', Object.keys(column).length === 0 ? undefined : column)
}

function column({ field, columns }: Subject): ConfigSection {
  return {
    title: 'designer.section.column',
    rows: [
      {
        path: 'columnName',
        label: 'designer.a.columnName',
        control:
          columns.length === 0 || field.columnName === null
            ? { is: 'shown', value: field.columnName ?? '' }
            : {
                is: 'choice',
                value: field.columnName,
                items: withCurrent(
                  columns.map(({ columnName }) => ({ value: columnName, text: columnName })),
                  field.columnName,
                ),
                set: (columnName) => set(field.id, { columnName }),
              },
      },
      {
        path: 'columnType',
        label: 'designer.a.columnType',
        control: {
          is: 'text',
          mono: true,
          value: field.columnType ?? '',
          set: (value) => set(field.id, { columnType: orNull(value.trim()) }),
        },
      },
      {
        path: 'columnComment',
        label: 'designer.a.columnComment',
        control: {
          is: 'text',
          value: field.columnComment ?? '',
          set: (value) => set(field.id, { columnComment: orNull(value) }),
        },
      },
      {
        path: 'attrType',
        label: 'designer.a.attrType',
        control: {
          is: 'text',
          mono: true,
          value: field.attrType ?? '',
          set: (value) =>
            set(field.id, value.trim() === '' ? { attrType: '' } : { attrType: value.trim() }),
        },
      },
      {
        path: 'tableName',
        label: 'designer.a.tableName',
        control: { is: 'shown', value: field.tableName ?? '' },
      },
      flagRow(field, 'isNull', true),
      ...(['isInsert', 'isUpdate', 'isPk', 'isTag', 'isDerived'] as const).map((flag) =>
        flagRow(field, flag),
      ),
    ],
  }
}

function link({ field, draft, tools: { t } }: Subject): ConfigSection {
  return {
    title: 'designer.section.link',
    rows: [
      {
        path: 'linkType',
        label: 'designer.a.linkType',
        control: {
          is: 'choice',
          value: String(field.linkType),
          items: choicesOf([-1, 1, 2] as const, (type) => t(`enum.linkType.${type}`)),
          set: (value) => set(field.id, { linkType: Number(value) as FieldDefinition['linkType'] }),
        },
      },
      ...(field.linkType === linkTypes.link
        ? [
            {
              path: 'linkUrl',
              label: 'designer.a.linkUrl',
              hint: 'designer.hint.fill',
              control: {
                is: 'text',
                mono: true,
                value: field.linkUrl ?? '',
                set: (value: string) => set(field.id, { linkUrl: orNull(value.trim()) }),
              },
            } as const,
          ]
        : []),
      ...(field.linkType === linkTypes.event
        ? [
            {
              path: 'linkUrl',
              label: 'designer.a.linkEvent',
              control: {
                is: 'choice',
                value: field.linkUrl ?? '',
                items: withCurrent(
                  [
                    { value: '', text: '—' },
                    ...draft.buttons.map(({ code, name }) => ({ value: code, text: name })),
                  ],
                  field.linkUrl ?? '',
                ),
                set: (value: string) => set(field.id, { linkUrl: orNull(value) }),
              },
            } as const,
          ]
        : []),
    ],
  }
}
