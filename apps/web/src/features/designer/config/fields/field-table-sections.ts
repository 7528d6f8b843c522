// Sections of a field about queries, its column in lists, and its column in the table.
import type { FieldDefinition } from '@jiaowu/api/entity/definition/definition'
import { findKind } from '@jiaowu/api/fields/kinds'
import type { DesignerEdit } from '@jiaowu/machines/designer/types'
import {
  type FieldOptions,
  type FieldSubject,
  flagRow,
  orNone,
  orNull,
  setField,
  setOption,
} from './field-edits.ts'
import { buildChoices, type ConfigSection, withCurrent, withKey } from '../rows.ts'

export function buildQuerySection({ field, tools: { t } }: FieldSubject): ConfigSection {
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
            buildChoices(findKind(field.uiType).operators, (name) => t(`enum.queryType.${name}`)),
            field.queryType,
          ),
          set: (queryType) => setField(field.id, { queryType }),
        },
      },
    ],
  }
}

export function listColumn({ field, tools: { t } }: FieldSubject): ConfigSection {
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
            ...buildChoices(['left', 'center', 'right'] as const, (side) =>
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
            ...buildChoices(['left', 'right'] as const, (side) => t(`designer.align.${side}`)),
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

export function buildColumnSection({ field, columns }: FieldSubject): ConfigSection {
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
                set: (columnName) => setField(field.id, { columnName }),
              },
      },
      {
        path: 'columnType',
        label: 'designer.a.columnType',
        control: {
          is: 'text',
          mono: true,
          value: field.columnType ?? '',
          set: (value) => setField(field.id, { columnType: orNull(value.trim()) }),
        },
      },
      {
        path: 'columnComment',
        label: 'designer.a.columnComment',
        control: {
          is: 'text',
          value: field.columnComment ?? '',
          set: (value) => setField(field.id, { columnComment: orNull(value) }),
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
            setField(field.id, value.trim() === '' ? { attrType: '' } : { attrType: value.trim() }),
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
