import {
  buttonPositions,
  defaultConstants,
  defaultTypes,
  dictTypes,
  linkTypes,
  openTypes,
  queryOperators,
  serialTypes,
  uiTypes,
  uiWidths,
  validators,
} from '@jiaowu/api/entity/enums'
import type { DictItem } from '@jiaowu/api/entity/values'
import type { Locale } from '@jiaowu/api/locale'
import { messageText, type TextKey, texts } from '@jiaowu/api/texts/index'
import type { ServerHandlers } from '../../model/context.ts'
import { loadDictionaries } from '../../model/definition/dictionary.ts'
import { Invalid } from '../../platform/refusal.ts'

/** The enumerations of the product (docs/spec/2-student-service-and-designer.md §3). */
const enumerations: Readonly<Record<string, (locale: Locale) => DictItem[]>> = {
  uiType: (l) => nameItems('enum.uiType', uiTypes, l),
  queryType: (l) => nameItems('enum.queryType', queryOperators, l),
  uiWidth: () => uiWidths.map((width) => ({ id: String(width), name: `${width}%` })),
  validator: (l) => nameItems('enum.validator', validators, l),
  dictType: (l) => nameItems('enum.dictType', Object.values(dictTypes), l),
  defaultType: (l) => nameItems('enum.defaultType', Object.values(defaultTypes), l),
  defaultConstant: (l) => nameItems('enum.defaultConstant', defaultConstants, l),
  linkType: (l) => nameItems('enum.linkType', Object.values(linkTypes), l),
  serialNumType: (l) => nameItems('enum.serialNumType', Object.values(serialTypes), l),
  buttonPosition: (l) => nameItems('enum.buttonPosition', Object.values(buttonPositions), l),
  openType: (l) => nameItems('enum.openType', openTypes, l),
  isAdd: (l) => nameItems('enum.editMode', [0, 1, 2], l),
  isEdit: (l) => nameItems('enum.editMode', [0, 1, 2], l),
}

export const dictionaryHandlers: ServerHandlers['dictionary'] = {
  codes: async ({ query }, context) =>
    Object.fromEntries(
      [...(await loadDictionaries(context, split(query.codes)))].map(([code, items]) => [
        code,
        [...items],
      ]),
    ),
  enums: ({ query }, { locale }) =>
    Object.fromEntries(
      split(query.codes).map((code) => [
        code,
        Object.hasOwn(enumerations, code) ? (enumerations[code]?.(locale) ?? []) : [],
      ]),
    ),
}

function split(text: string): string[] {
  const codes = [
    ...new Set(
      text
        .split(',')
        .map((code) => code.trim())
        .filter((code) => code !== ''),
    ),
  ]
  if (codes.length > 100)
    throw new Invalid([{ path: 'codes', rule: 'value', message: { key: 'rule.value' } }])
  return codes
}

function nameItems(prefix: string, ids: readonly (string | number)[], locale: Locale): DictItem[] {
  return ids.map((id) => {
    const key = `${prefix}.${id}`
    return {
      id: String(id),
      name: Object.hasOwn(texts, key) ? messageText(locale, { key: key as TextKey }) : String(id),
    }
  })
}
