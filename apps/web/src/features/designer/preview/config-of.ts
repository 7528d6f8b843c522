// The configuration that the server would send for a definition to a user with every permission.
import { defaultTypes, dictTypes } from '@jiaowu/api/entity/enums'
import type { DictItem } from '@jiaowu/api/entity/values'
import type { EntityConfig, Field } from '@jiaowu/api/entity/config'
import { entityActions, entityPermission } from '@jiaowu/api/entity/permission'
import type { EntityDefinition, FieldDefinition } from '@jiaowu/api/entity/definition/definition'
import { holdsValue, isFilterable, findKind } from '@jiaowu/api/fields/kinds'
import type { Locale } from '@jiaowu/api/locale'

/** Items of the dictionaries that could be read, by dictionary code. */
export type KnownItems = Readonly<Record<string, readonly DictItem[]>>

/**
 * Configuration for a preview of the draft. Fields have no links, since the sample rows do not
 * exist.
 */
export function configOfDraft(
  draft: EntityDefinition,
  locale: Locale,
  known: KnownItems = {},
): EntityConfig {
  const { selection, operColumnShow, singleSelect, multiSelect, openType, sorts } = draft.options
  const fields = draft.fields
    .toSorted((a, b) => a.uiSort - b.uiSort)
    .filter(({ attrName }) => attrName !== '')
    .map((field) => toPreviewField(locale, field, known))
  return {
    tag: draft.tag,
    name: inLanguage(locale, draft.name, draft.nameEn),
    fields,
    buttons: draft.buttons
      .filter(({ status }) => status === 1)
      .map(({ nameEn, ...button }) => ({
        ...button,
        name: inLanguage(locale, button.name, nameEn),
      })),
    options: {
      selection,
      operColumnShow,
      singleSelect,
      multiSelect,
      openType,
      sorts: sorts.filter(({ column }) => fields.some(({ attrName }) => attrName === column)),
    },
    idField: draft.idField,
    tagField: draft.tagField,
    ...(draft.options.titlePattern !== undefined && { titlePattern: draft.options.titlePattern }),
    permissions: entityActions.map((action) => entityPermission(draft.tag, action)),
  }
}

function toPreviewField(locale: Locale, field: FieldDefinition, known: KnownItems): Field {
  const {
    id,
    attrName,
    uiType,
    uiWidth,
    dictType,
    dictValue,
    linkType,
    isList,
    isQuery,
    isDetail,
    isExport,
    isAdd,
    isEdit,
    queryType,
    uiDefaultType,
    defaultValue,
    disabled,
    valids,
    options,
  } = field
  const uiLabel = inLanguage(locale, field.uiLabel, options.labelEn)
  const kind = findKind(uiType)
  const value = holdsValue(uiType)
  const plainDefault =
    uiDefaultType === defaultTypes.constant || uiDefaultType === defaultTypes.sql
      ? { uiDefaultType: defaultTypes.none, defaultValue: null }
      : { uiDefaultType, defaultValue }
  return {
    id,
    attrName,
    uiLabel,
    uiType,
    uiWidth,
    dictType,
    dictValue: dictType === dictTypes.sql ? null : dictValue,
    linkType,
    linkUrl: null,
    isDetail,
    isAdd,
    isEdit,
    queryType,
    ...plainDefault,
    disabled,
    valids,
    options,
    isList: value && !kind.secret ? isList : 0,
    isQuery: value && isFilterable(kind) ? isQuery : 0,
    isExport: value ? isExport : 0,
    sortable: kind.sortable,
    ...(kind.family === 'choice' ? { dictData: buildPreviewItems(field, uiLabel, known) } : {}),
  }
}

function inLanguage(locale: Locale, zh: string, en: string | undefined): string {
  return locale === 'en' && en !== undefined && en !== '' ? en : zh
}

function buildPreviewItems(
  { dictType, dictValue, uiType }: FieldDefinition,
  label: string,
  known: KnownItems,
): readonly DictItem[] {
  const found = dictType === dictTypes.dictionary ? known[dictValue ?? ''] : undefined
  return found === undefined || found.length === 0
    ? sampleItems(label, findKind(uiType).tree)
    : found
}

function sampleItems(label: string, tree: boolean): readonly DictItem[] {
  return [1, 2, 3].map((n) => ({
    id: String(n),
    name: `${label} ${'甲乙丙'[n - 1]}`,
    ...(tree ? { pid: n === 3 ? '1' : '0' } : {}),
  }))
}
