// Adds choices while an import is under review: an item that a dictionary lacks, or a record of another
// entity that its name alone makes.
import { dictTypes } from '@jiaowu/api/entity/enums'
import { entityPermission, may } from '@jiaowu/api/entity/permission'
import { accessTo, isReadOnly } from '../../../access/access.ts'
import type { Context } from '../../../model/context.ts'
import { forbidden, Invalid } from '../../../platform/refusal.ts'
import { dictionaryItems } from '../../../model/definition/dictionary.ts'
import {
  type LoadedEntity,
  type LoadedField,
  valueFields,
} from '../../../model/definition/loaded.ts'
import { loadRelation } from '../../../model/definition/relation.ts'
import { buildFilterFault, unknownField } from '../../read/query.ts'
import { isEditable } from '../../write/values/values.ts'
import { createRow, loadDefaults } from '../../write/write.ts'
import { isNeeded } from '../columns.ts'
import { foldText } from '../rows/fold.ts'

const itemsTag = 'SYS_DICT_ITEM'

/** Where the choices of a field are kept, and what makes one of a name. */
interface Source {
  /** The tag whose `add` right it takes. */
  readonly tag: string
  readonly add: (context: Context, name: string) => Promise<void>
}

/** Whether the caller may add to the choices of a field from within an import. */
export async function mayAddChoice(context: Context, field: LoadedField): Promise<boolean> {
  const source = await findNewChoices(context, field)
  return source !== null && mayAdd(context, source)
}

function mayAdd({ subject: { permissions } }: Context, { tag }: Source): boolean {
  return may(permissions, entityPermission(tag, 'add'))
}

/**
 * Adds each of these names to the choices of its field; names that a dictionary has already are left
 * out.
 * @throws Invalid for a field whose choices cannot be added by name, an empty name or one that breaks
 *   a rule of the other entity; Refusal 403 without the right to add
 */
export async function addChoices(
  context: Context,
  entity: LoadedEntity,
  cells: readonly { readonly attrName: string; readonly value: unknown }[],
): Promise<void> {
  for (const { attrName, value } of cells) {
    const field = entity.field(attrName)
    const source = field === undefined ? null : await findNewChoices(context, field)
    if (source === null) throw new Invalid([unknownField(attrName)])
    if (!mayAdd(context, source)) throw forbidden()
    const name = typeof value === 'string' ? value.trim() : ''
    if (name === '')
      throw new Invalid([buildFilterFault(attrName, 'required', { key: 'rule.required' })])
    await source.add(context, name).catch((error: unknown) => {
      throw error instanceof Invalid ? ofCell(error, attrName) : error
    })
  }
}

/** A rule of the other entity is broken by the value of this cell. */
function ofCell({ faults }: Invalid, attrName: string): Invalid {
  return new Invalid(faults.map(({ rule, message }) => buildFilterFault(attrName, rule, message)))
}

async function findNewChoices(context: Context, field: LoadedField): Promise<Source | null> {
  const { dictType, dictValue } = field.definition
  if (dictType === dictTypes.dictionary && dictValue !== null)
    return { tag: itemsTag, add: (by, name) => addItem(by, dictValue, name) }
  return dictType === dictTypes.entity ? await findNewRecords(context, field) : null
}

/**
 * Null where a name is not enough: other fields need values, a cascade ties the record to another
 * choice, or the entity is one of the system.
 */
async function findNewRecords(context: Context, field: LoadedField): Promise<Source | null> {
  const relation = await loadRelation(context, field)
  const [label] = relation?.labels ?? []
  if (relation === null || relation.pattern !== null || label === undefined) return null
  const { target } = relation
  const isTied = (field.definition.options.cascades ?? []).length > 0
  if (isTied || target.table.schema === 'sys' || isReadOnly(target)) return null
  if (label.kind.family !== 'text') return null
  const source: Source = {
    tag: target.tag,
    add: async (by, name) => {
      await createRow(by, target, { [label.definition.attrName]: name })
    },
  }
  if (!mayAdd(context, source)) return source
  const access = await accessTo(context, target, 'add')
  const defaults = await loadDefaults(context, target)
  const lacks = valueFields(target).some(
    (each) => each !== label && isNeeded(access, each, (attrName) => defaults.has(attrName)),
  )
  return lacks || !isEditable(access, label, 'add') ? null : source
}

/** Numeric codes go on counting, in other dictionaries the name is the code. */
async function addItem(context: Context, code: string, name: string): Promise<void> {
  const items = await context.registry.get(context.subject.tenant, itemsTag)
  const known = await dictionaryItems(context, code)
  if (known.some((item) => foldText(item.name) === foldText(name))) return
  await createRow(context, items, {
    dictCode: code,
    itemCode: nextCode(known.map(({ id }) => id)) ?? name,
    name,
    sort: known.length + 1,
    status: '1',
  })
}

/** The number after the largest code; undefined where a code is no number. */
function nextCode(codes: readonly string[]): string | undefined {
  return codes.every((code) => /^\d{1,9}$/.test(code))
    ? String(Math.max(0, ...codes.map(Number)) + 1)
    : undefined
}
