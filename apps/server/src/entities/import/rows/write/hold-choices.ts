// Holds the records that rows of a job choose, which were checked before.
import { fromTable } from '../../../../model/definition/from-table.ts'
import type { DictItem, WireValue } from '@jiaowu/api/entity/values'
import { dictTypes } from '@jiaowu/api/entity/enums'
import { sql } from 'kysely'
import type { EntityAccess } from '../../../../access/access.ts'
import { lookupAccess } from '../../../../access/lookup-access.ts'
import type { Context } from '../../../../model/context.ts'
import {
  type LoadedEntity,
  type LoadedField,
  valueFields,
} from '../../../../model/definition/loaded.ts'
import { namedTargets, tagIn } from '../../../../model/definition/named-target.ts'
import { loadRelation } from '../../../../model/definition/relation.ts'
import { hasId, idText, type Keyed } from '../../../../model/definition/row-key.ts'
import { Invalid } from '../../../../platform/refusal.ts'
import { buildFilterFault } from '../../../read/query.ts'
import { sharedLock } from '../../../read/rows.ts'
import type { RowWrite, Run } from '../../../write/writer.ts'

/** A relation whose chosen records are locked while the rows are written. */
interface Held {
  readonly field: LoadedField
  readonly target: EntityAccess
  /** The key of the target that the field stores. */
  readonly keyed: Keyed
  /** The tag of a relation to several entities: in rows that name this one. */
  readonly tag?: string
}

/**
 * Locks chosen records against deletion until the transaction ends, as the save of a form does, and refuses rows
 * whose records are gone. Call before the transaction.
 */
export async function heldChoices(context: Context, entity: LoadedEntity): Promise<Run> {
  const relations = await heldRelations(context, entity)
  return async ({ trx, rows, refuse }) => {
    for (const [field, targets] of Map.groupBy(relations, (relation) => relation.field)) {
      const { attrName } = field.definition
      const idsOf = (row: RowWrite) => idsIn(readCellValue(row, attrName))
      const left = new Set(rows.filter((row) => idsOf(row).length > 0))
      for (const { target, keyed, tag } of targets) {
        const concerned = [...left].filter((row) => mayName(row, field, tag))
        const wanted = [...new Set(concerned.flatMap(idsOf))]
        if (wanted.length === 0) continue
        const { rows: found } = await sql<{ id: string }>`
          select ${idText(keyed)} as id from ${fromTable(target.entity)}
          where ${target.rows} and ${hasId(keyed, wanted)} ${sharedLock(target.entity)}`.execute(
          trx,
        )
        const known = new Set(found.map(({ id }) => id))
        for (const row of concerned) if (idsOf(row).every((id) => known.has(id))) left.delete(row)
      }
      for (const row of left)
        refuse(
          row,
          { rule: 'choice', attrName },
          () => new Invalid([buildFilterFault(attrName, 'choice', { key: 'rule.choice' })]),
        )
    }
  }
}

async function heldRelations(context: Context, entity: LoadedEntity): Promise<readonly Held[]> {
  const relations: Held[] = []
  for (const field of valueFields(entity).filter(
    ({ kind, definition }) => kind.family === 'choice' && definition.dictType === dictTypes.entity,
  )) {
    const targets =
      field.namedBy === undefined
        ? [{ aimed: field }]
        : [...(await namedTargets(context, field))].map(([tag, aimed]) => ({ aimed, tag }))
    for (const { aimed, ...named } of targets) {
      const relation = await loadRelation(context, aimed)
      if (relation === null) continue
      const { target, keyed } = relation
      relations.push({ field, target: lookupAccess(context, target), keyed, ...named })
    }
  }
  return relations
}

function readCellValue({ changes }: RowWrite, attrName: string): WireValue | undefined {
  return changes.find(({ field }) => field.definition.attrName === attrName)?.value
}

/** Whether the row may point to the entity `tag`; changes leave out a tag that stays as it is. */
function mayName(row: RowWrite, { namedBy }: LoadedField, tag?: string): boolean {
  const named = namedBy === undefined ? undefined : tagIn(readCellValue(row, namedBy.attrName))
  return named === undefined || named === null || named === tag
}

function idsIn(value: WireValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(({ id }: DictItem) => id) : []
}
