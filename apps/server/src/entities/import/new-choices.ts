// Adds items to dictionaries while an import is under review: a choice that a file names and the
// dictionary lacks.
import { dictTypes, may } from '@jiaowu/api'
import type { Context } from '../../context.ts'
import { forbidden, Invalid } from '../../platform/refusal.ts'
import { dictionaryItems } from '../definition/dictionary.ts'
import type { LoadedEntity, LoadedField } from '../definition/loaded.ts'
import { fault, unknownField } from '../read/query.ts'
import { createRow } from '../write/write.ts'
import { folded } from './rows/fold.ts'

const itemsTag = 'SYS_DICT_ITEM'

/** Whether the caller may add to the choices of a field from within an import. */
export function mayAddChoice({ subject }: Context, field: LoadedField): boolean {
  return dictionaryOf(field) !== null && may(subject.permissions, `entity:${itemsTag}:add`)
}

/** The code of a field's dictionary; null for a field without one. */
function dictionaryOf({ definition: { dictType, dictValue } }: LoadedField): string | null {
  return dictType === dictTypes.dictionary ? dictValue : null
}

/**
 * Adds each of these names to the dictionary of its field; names that it has already are left out.
 * Numeric codes go on counting, in other dictionaries the name is the code.
 * @throws Invalid for a field without a dictionary or an empty name, Refusal 403 without the right
 *   to add items
 */
export async function addChoices(
  context: Context,
  entity: LoadedEntity,
  cells: readonly { readonly attrName: string; readonly value: unknown }[],
): Promise<void> {
  const items = await context.registry.find(context.subject.tenant, itemsTag)
  for (const { attrName, value } of cells) {
    const field = entity.field(attrName)
    const code = field === undefined ? null : dictionaryOf(field)
    if (field === undefined || code === null || items === undefined)
      throw new Invalid([unknownField(attrName)])
    if (!mayAddChoice(context, field)) throw forbidden()
    const name = typeof value === 'string' ? value.trim() : ''
    if (name === '') throw new Invalid([fault(attrName, 'required', { key: 'rule.required' })])
    const known = await dictionaryItems(context, code)
    if (known.some((item) => folded(item.name) === folded(name))) continue
    await createRow(context, items, {
      dictCode: code,
      itemCode: nextCode(known.map(({ id }) => id)) ?? name,
      name,
      sort: known.length + 1,
      status: '1',
    })
  }
}

/** The number after the largest code; undefined where a code is no number. */
function nextCode(codes: readonly string[]): string | undefined {
  return codes.every((code) => /^\d{1,9}$/.test(code))
    ? String(Math.max(0, ...codes.map(Number)) + 1)
    : undefined
}
