// Configuration of a field in the designer (docs/spec/2-student-service-and-designer.md §3), as
// data.
import { dictTypes, linkTypes, uiTypes, piiKinds, uiWidths } from '@jiaowu/api/entity/enums'
import type { FieldDefinition } from '@jiaowu/api/entity/definition/definition'
import { holdsValue, findKind } from '@jiaowu/api/fields/kinds'
import { suggestedName } from '@jiaowu/machines/designer/draft'
import { buildChoices, type ConfigSection, withCurrent } from '../rows.ts'
import {
  type FieldSubject,
  flagRow,
  modeRow,
  orNone,
  orNull,
  setField,
  setOption,
} from './field-edits.ts'
import { buildColumnSection, listColumn, buildQuerySection } from './field-table-sections.ts'
import { defaults, formula, buildInputSection, rules, source } from './field-value-sections.ts'

/**
 * Sections of the configuration of a field; sections that do not apply to its kind are left out.
 */
export function fieldSections(subject: FieldSubject): readonly ConfigSection[] {
  const { field } = subject
  if (!holdsValue(field.uiType)) return [basic(subject), usage(subject)]
  const isChoice = findKind(field.uiType).family === 'choice'
  return [
    basic(subject),
    usage(subject),
    rules(subject),
    buildInputSection(subject),
    defaults(subject),
    ...(takesFormula(field) ? [formula(subject)] : []),
    ...(isChoice || field.dictType !== dictTypes.none ? [source(subject)] : []),
    ...(isChoice || (field.options.cascades ?? []).length > 0
      ? [{ title: 'designer.section.cascade', rows: [], editor: 'cascades' } as const]
      : []),
    ...(field.isQuery === 1 ? [buildQuerySection(subject)] : []),
    ...(field.isList === 1 ? [listColumn(subject)] : []),
    link(subject),
    buildColumnSection(subject),
  ]
}

function takesFormula({ uiType, derived }: FieldDefinition): boolean {
  const { family, secret, markup } = findKind(uiType)
  return derived !== null || (['number', 'flag', 'text'].includes(family) && !secret && !markup)
}

function basic({ field, tools: { t } }: FieldSubject): ConfigSection {
  return {
    title: 'designer.section.basic',
    rows: [
      {
        path: 'uiLabel',
        label: 'designer.a.uiLabel',
        control: {
          is: 'text',
          value: field.uiLabel,
          set: (uiLabel) => setField(field.id, { uiLabel }),
        },
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
          set: (value) => setField(field.id, { attrName: value.trim() }),
        },
      },
      {
        path: 'uiType',
        label: 'designer.a.uiType',
        control: {
          is: 'choice',
          value: field.uiType,
          items: buildChoices(uiTypes, (type) => t(`enum.uiType.${type}`)),
          set: (value) => setField(field.id, { uiType: value as FieldDefinition['uiType'] }),
        },
      },
      {
        path: 'uiWidth',
        label: 'designer.a.uiWidth',
        control: {
          is: 'choice',
          value: String(field.uiWidth),
          items: withCurrent(buildChoices(uiWidths, String), String(field.uiWidth)),
          set: (value) => setField(field.id, { uiWidth: Number(value) }),
        },
      },
      {
        path: 'pii',
        label: 'designer.a.pii',
        control: {
          is: 'choice',
          value: field.pii ?? 'none',
          items: buildChoices(['none', ...piiKinds] as const, (kind) => t(`designer.pii.${kind}`)),
          set: (value) =>
            setField(field.id, { pii: piiKinds.find((kind) => kind === value) ?? null }),
        },
      },
      {
        path: 'comments',
        label: 'designer.a.comments',
        control: {
          is: 'text',
          lines: 2,
          value: field.comments ?? '',
          set: (value) => setField(field.id, { comments: orNull(value) }),
        },
      },
    ],
  }
}

/** Where the field appears: lists, queries, details, exports and forms. */
function usage({ field, tools }: FieldSubject): ConfigSection {
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
              set: (disabled) => setField(field.id, { disabled }),
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

function link({ field, draft, tools: { t } }: FieldSubject): ConfigSection {
  return {
    title: 'designer.section.link',
    rows: [
      {
        path: 'linkType',
        label: 'designer.a.linkType',
        control: {
          is: 'choice',
          value: String(field.linkType),
          items: buildChoices([-1, 1, 2] as const, (type) => t(`enum.linkType.${type}`)),
          set: (value) =>
            setField(field.id, { linkType: Number(value) as FieldDefinition['linkType'] }),
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
                set: (value: string) => setField(field.id, { linkUrl: orNull(value.trim()) }),
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
                set: (value: string) => setField(field.id, { linkUrl: orNull(value) }),
              },
            } as const,
          ]
        : []),
    ],
  }
}
