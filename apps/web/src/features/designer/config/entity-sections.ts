// Configuration of an entity without its fields (docs/spec/2-student-service-and-designer.md §3),
// as data.
import type { EntityOptions } from '@jiaowu/api/entity/definition/definition'
import { holdsValue } from '@jiaowu/api/fields/kinds'
import { openTypes, serialTypes } from '@jiaowu/api/entity/enums'
import type { DesignerEdit } from '@jiaowu/machines/designer/types'
import type { Draft } from '@jiaowu/machines/designer/draft'
import { entrySection } from './entry-section.ts'
import {
  type Choice,
  buildChoices,
  type ConfigRow,
  type ConfigSection,
  type ConfigTools,
  withCurrent,
} from './rows.ts'

interface Subject {
  readonly draft: Draft
  readonly isNew: boolean
  readonly tools: ConfigTools
}

/** Fields that hold a value, by attrName. */
export function fieldChoices({ fields }: Draft): readonly Choice[] {
  return fields
    .toSorted((a, b) => a.uiSort - b.uiSort)
    .filter(({ uiType, attrName }) => holdsValue(uiType) && attrName !== '')
    .map(({ attrName, uiLabel }) => ({
      value: attrName,
      text: uiLabel === attrName ? attrName : `${uiLabel} ${attrName}`,
    }))
}

const option = (patch: Partial<EntityOptions>): DesignerEdit => ({ type: 'option.set', patch })

/** Sections of the entity's own configuration, shown while no field is selected. */
export function entitySections(subject: Subject): readonly ConfigSection[] {
  return [
    basic(subject),
    keys(subject),
    {
      title: 'designer.section.list',
      rows: (['selection', 'operColumnShow', 'singleSelect', 'multiSelect'] as const).map((name) =>
        switchRow(subject.draft, name),
      ),
    },
    { title: 'designer.section.sorts', rows: [], editor: 'sorts' },
    serial(subject),
    entrySection(subject),
    { title: 'designer.section.buttons', rows: [], editor: 'buttons' },
  ]
}

function basic({ draft, isNew, tools: { t } }: Subject): ConfigSection {
  return {
    title: 'designer.section.basic',
    rows: [
      {
        path: 'name',
        label: 'designer.a.name',
        control: { is: 'text', value: draft.name, set: (name) => entity({ name }) },
      },
      {
        path: 'nameEn',
        label: 'designer.a.nameEn',
        control: { is: 'text', value: draft.nameEn ?? '', set: (nameEn) => entity({ nameEn }) },
      },
      {
        path: 'tag',
        label: 'designer.a.tag',
        hint: 'designer.hint.tag',
        control: isNew
          ? { is: 'text', mono: true, value: draft.tag, set: (tag) => entity({ tag: tag.trim() }) }
          : { is: 'shown', value: draft.tag },
      },
      {
        path: 'tableName',
        label: 'designer.a.tableName',
        control: { is: 'shown', value: `${draft.schemaName}.${draft.tableName}` },
      },
      {
        path: 'options.openType',
        label: 'designer.a.openType',
        control: {
          is: 'choice',
          value: draft.options.openType,
          items: buildChoices(openTypes, (type) => t(`enum.openType.${type}`)),
          set: (value) => option({ openType: value as EntityOptions['openType'] }),
        },
      },
      {
        path: 'options.remarks',
        label: 'designer.a.remarks',
        control: {
          is: 'text',
          lines: 2,
          value: draft.options.remarks ?? '',
          set: (remarks) => option({ remarks }),
        },
      },
    ],
  }
}

function entity(patch: Extract<DesignerEdit, { type: 'entity.set' }>['patch']): DesignerEdit {
  return {
    type: 'entity.set',
    patch,
  }
}

function keys({ draft, tools: { t } }: Subject): ConfigSection {
  const fields = fieldChoices(draft)
  const none = { value: '', text: t('designer.none') }
  const orNull = (value: string) => (value === '' ? null : value)
  return {
    title: 'designer.section.keys',
    rows: [
      {
        path: 'idField',
        label: 'designer.a.idField',
        control: {
          is: 'choice',
          value: draft.idField,
          items: withCurrent(fields, draft.idField),
          set: (idField) => entity({ idField }),
        },
      },
      {
        path: 'tagField',
        label: 'designer.a.tagField',
        control: {
          is: 'choice',
          value: draft.tagField ?? '',
          items: withCurrent([none, ...fields], draft.tagField ?? ''),
          set: (value) => entity({ tagField: orNull(value) }),
        },
      },
      {
        path: 'options.titlePattern',
        label: 'designer.a.titlePattern',
        control: {
          is: 'text',
          value: draft.options.titlePattern ?? '',
          placeholder: '{name} {code}',
          set: (text) => option({ titlePattern: text.trim() === '' ? undefined : text }),
        },
      },
      {
        path: 'options.titleInColumns',
        label: 'designer.a.titleInColumns',
        control: {
          is: 'switch',
          value: draft.options.titleInColumns !== false,
          set: (value) => option({ titleInColumns: value ? undefined : false }),
        },
      },
      {
        path: 'options.subtitlePattern',
        label: 'designer.a.subtitlePattern',
        control: {
          is: 'text',
          value: draft.options.subtitlePattern ?? '',
          placeholder: '{code} · {parent}',
          set: (text) => option({ subtitlePattern: text.trim() === '' ? undefined : text }),
        },
      },
      {
        path: 'parentField',
        label: 'designer.a.parentField',
        control: {
          is: 'choice',
          value: draft.parentField ?? '',
          items: withCurrent([none, ...fields], draft.parentField ?? ''),
          set: (value) => entity({ parentField: orNull(value) }),
        },
      },
    ],
  }
}

function switchRow(
  { options }: Draft,
  name: 'selection' | 'operColumnShow' | 'singleSelect' | 'multiSelect' | 'serialNumFast',
): ConfigRow {
  return {
    path: `options.${name}`,
    label: `designer.a.${name}`,
    control: { is: 'switch', value: options[name], set: (value) => option({ [name]: value }) },
  }
}

function serial({ draft, tools: { t } }: Subject): ConfigSection {
  const { serialNumType, serialNumField } = draft.options
  const type: ConfigRow = {
    path: 'options.serialNumType',
    label: 'designer.a.serialNumType',
    control: {
      is: 'choice',
      value: String(serialNumType ?? ''),
      items: [
        { value: '', text: t('designer.none') },
        ...buildChoices([1, 2, 3] as const, (kind) => t(`enum.serialNumType.${kind}`)),
      ],
      set: (value) => option({ serialNumType: value === '' ? null : (Number(value) as 1 | 2 | 3) }),
    },
  }
  if (serialNumType === null) return { title: 'designer.section.serial', rows: [type] }
  const field: ConfigRow = {
    path: 'options.serialNumField',
    label: 'designer.a.serialNumField',
    control: {
      is: 'choice',
      value: serialNumField ?? '',
      items: withCurrent([{ value: '', text: '—' }, ...fieldChoices(draft)], serialNumField ?? ''),
      set: (value) => option({ serialNumField: value === '' ? null : value }),
    },
  }
  return {
    title: 'designer.section.serial',
    rows: [
      type,
      field,
      ...(serialNumType === serialTypes.snowflake ? [] : [switchRow(draft, 'serialNumFast')]),
    ],
    ...(serialNumType === serialTypes.custom ? { editor: 'segments' as const } : {}),
  }
}
