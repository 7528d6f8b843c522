// The table of an entity as its designer sees it: may it be changed here, archived columns, and the changes so far.
import type { TableState } from '@jiaowu/api/entity/definition/table-change'
import { formSchema } from '@jiaowu/api/entity/definition/sheet'
import { messageText } from '@jiaowu/api/texts/index'
import type { Context } from '../../../model/context.ts'
import { entityName } from '../../../model/definition/loaded.ts'
import { localTime } from '../../../model/fields/local-time.ts'
import { loadByTag } from '../../design/store.ts'
import { listTargets } from '../relation-targets.ts'
import { findOwnedTable, isChangeable } from './owned-table.ts'
import { countValues, findArchived, listColumnNames, loadChanges } from './stored-changes.ts'
import { findCreation } from './take-back.ts'
import { canUndo } from './undo-change.ts'

/** Lines of history that are answered. */
const mostChanges = 100

/** @throws Refusal 404 */
export async function loadTableState(context: Context, tag: string): Promise<TableState> {
  const stored = await loadByTag(context, tag)
  const owned = await findOwnedTable(context, stored)
  const { schema, table, prefix, known } = owned
  const changes = await loadChanges(context, owned)
  const used = new Set(stored.fields.map(({ columnName }) => columnName))
  const archived = [...findArchived(changes)].filter(
    ([column]) => !used.has(column) && known?.columns.has(column) === true,
  )
  const counted: TableState['archived'] = []
  for (const [column, { plan, create_time }] of archived) {
    const { mine } = await countValues(context.database.untyped, context, owned, [column])
    const label = plan.field?.uiLabel ?? column
    counted.push({ column, label, time: localTime(new Date(create_time)), values: mine })
  }
  const isOpen = owned.refusal === null
  return {
    schema,
    table,
    refusal: owned.refusal === null ? null : messageText(context.locale, owned.refusal),
    prefix,
    changeable: isOpen
      ? stored.fields.flatMap(({ columnName }) =>
          columnName !== null && isChangeable(owned, columnName) ? [columnName] : [],
        )
      : [],
    archived: counted,
    ...(isOpen ? await listSources(context) : { targets: [], dictionaries: [] }),
    changes: changes.slice(0, mostChanges).map((change) => ({
      id: change.id,
      kind: change.kind,
      columns: listColumnNames(change),
      time: localTime(new Date(change.create_time)),
      user: change.user_name,
      statements: change.statements,
      isUndone: change.undone_by !== null,
      canUndo: isOpen && canUndo(change, changes, owned),
    })),
    isMade: schema === formSchema && !stored.builtIn && findCreation(changes) !== undefined,
  }
}

/** The entities and dictionaries that a new column can name. */
export async function listSources(
  context: Context,
): Promise<Pick<TableState, 'targets' | 'dictionaries'>> {
  const targets = (await listTargets(context)).map((entity) => ({
    tag: entity.tag,
    name: entityName(entity, context.locale),
  }))
  return { targets, dictionaries: await listDictionaries(context) }
}

async function listDictionaries({ database, subject }: Context) {
  return await database.kysely
    .selectFrom('sys.dict')
    .select(['code', 'name'])
    .where('tenant_id', 'in', ['0', subject.tenant])
    .where('deleted_at', 'is', null)
    .orderBy('code')
    .limit(500)
    .execute()
}
