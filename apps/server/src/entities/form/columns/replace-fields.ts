// A change of a table with the change of the definition that belongs to it. The checks of a definition read the
// catalog, so the table comes first, in a transaction of its own; where the definition is refused, it is taken back.
import type { EntityDefinition, FieldDefinition } from '@jiaowu/api/entity/definition/definition'
import type { StoredEntity } from '@jiaowu/api/entity/definition/stored'
import type { RawBuilder } from 'kysely'
import type { Context } from '../../../model/context.ts'
import { stale } from '../../../platform/refusal.ts'
import { acceptDefinition, definitionIn } from '../../design/check.ts'
import { saveDefinition, SavedMeanwhile, writeDefinition } from '../../design/store.ts'
import { assertMarksKept } from '../../personal/marks-kept.ts'
import { changeTable, type TableChange } from '../change-table.ts'

type FieldsAfter = () => Promise<readonly FieldDefinition[]> | readonly FieldDefinition[]

/** How a change is made, and how it is taken back where the definition does not follow. */
export interface ChangeWithFields {
  readonly change: TableChange
  readonly back: Pick<TableChange, 'kind' | 'statements'> & Partial<Pick<TableChange, 'plan'>>
  readonly fields: FieldsAfter
  readonly note: string
}

/** @throws Refusal and Invalid; then neither the table nor the definition has changed */
export async function changeWithFields(
  context: Context,
  before: StoredEntity,
  { change, back, fields, note }: ChangeWithFields,
): Promise<string> {
  const id = await changeTable(context, change)
  try {
    await replaceFields(context, before, await fields(), note)
    return id
  } catch (error) {
    const { schema, table, column, plan } = change
    const place = { schema, table, ...(column !== undefined && { column }) }
    await changeTable(context, { ...place, plan, ...back, undoes: id })
    throw error
  }
}

/** The definition first: the change of the table and the definition in one transaction. */
export async function changeAfterFields(
  context: Context,
  before: StoredEntity,
  { change, fields, note }: Pick<ChangeWithFields, 'change' | 'fields' | 'note'>,
): Promise<string> {
  const definition = await acceptFields(context, before, await fields())
  const id = await changeTable(context, {
    ...change,
    within: (trx) => writeDefinition(trx, context, before, { definition, note }),
  }).catch((error: unknown) => {
    throw error instanceof SavedMeanwhile ? stale(null) : error
  })
  context.registry.invalidate()
  return id
}

async function replaceFields(
  context: Context,
  before: StoredEntity,
  fields: readonly FieldDefinition[],
  note: string,
): Promise<void> {
  const definition = await acceptFields(context, before, fields)
  if (!(await saveDefinition(context, before, definition, note))) throw stale(null)
  context.registry.invalidate()
}

async function acceptFields(
  context: Context,
  before: StoredEntity,
  fields: readonly FieldDefinition[],
): Promise<EntityDefinition> {
  const body = { ...definitionIn({ ...before }), fields }
  const { definition } = await acceptDefinition(context, body, before)
  await assertMarksKept(context, before, definition)
  return definition
}

/** Statements that nothing is needed for. */
export const noStatements: readonly RawBuilder<unknown>[] = []
