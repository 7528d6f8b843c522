// Dictionaries that a definition brings with it: choices of a column that the database lists.
import { dictTypes } from '@jiaowu/api/entity/enums'
import type { EntityDefinition, FieldDefinition } from '@jiaowu/api/entity/definition/definition'
import type { Kysely } from 'kysely'
import type { Context } from '../../model/context.ts'
import type { Tables } from '../../platform/database/tables/tables.ts'

/** Choices for a dictionary that may not exist yet, by code. */
export function broughtItems(
  definitions: readonly Pick<EntityDefinition, 'fields'>[],
): ReadonlyMap<string, FieldDefinition> {
  return new Map(
    definitions.flatMap(({ fields }) =>
      fields.flatMap((field) =>
        field.dictType === dictTypes.dictionary &&
        field.dictValue !== null &&
        field.options.items !== undefined
          ? [[field.dictValue, field] as const]
          : [],
      ),
    ),
  )
}

/** Makes the dictionaries that do not exist. Those that exist stay as they are. */
export async function makeDictionaries(
  db: Kysely<Tables>,
  { newId, subject }: Pick<Context, 'newId' | 'subject'>,
  definitions: readonly Pick<EntityDefinition, 'fields' | 'name'>[],
): Promise<void> {
  const brought = broughtItems(definitions)
  if (brought.size === 0) return
  const codes = [...brought.keys()]
  const existing = await existingCodes(db, subject.tenant, codes)
  const missing = codes.filter((code) => !existing.has(code))
  if (missing.length === 0) return
  const keys = () => ({ id: newId(), tenant_id: subject.tenant, create_user: subject.userId })
  await db
    .insertInto('sys.dict')
    .values(missing.map((code) => ({ ...keys(), code, name: brought.get(code)?.uiLabel ?? code })))
    .execute()
  await db
    .insertInto('sys.dict_item')
    .values(
      missing.flatMap((code) =>
        (brought.get(code)?.options.items ?? []).map(({ id, name, nameEn }, i) => ({
          ...keys(),
          dict_code: code,
          item_code: id,
          name,
          name_en: nameEn ?? null,
          sort: i + 1,
        })),
      ),
    )
    .execute()
}

/** Keeps the codes that are dictionaries of the school or shared ones. */
export async function existingCodes(
  db: Kysely<Tables>,
  tenant: string,
  codes: readonly string[],
): Promise<ReadonlySet<string>> {
  if (codes.length === 0) return new Set()
  const rows = await db
    .selectFrom('sys.dict')
    .select('code')
    .where('tenant_id', 'in', ['0', tenant])
    .where('deleted_at', 'is', null)
    .where('code', 'in', codes)
    .execute()
  return new Set(rows.map(({ code }) => code))
}

/** The definition as it is stored: its choices are in their dictionaries. */
export function withoutItems(definition: EntityDefinition): EntityDefinition {
  return {
    ...definition,
    fields: definition.fields.map((field) => {
      if (field.options.items === undefined) return field
      const { items: _items, ...options } = field.options
      return { ...field, options }
    }),
  }
}
