import { messageText } from '@jiaowu/api/texts/index'
import { sql } from 'kysely'
import type { ServerHandlers } from '../../model/context.ts'
import { accessTo, ruleUser } from '../../access/access.ts'
import { rowCondition } from '../../access/rules/row-expression.ts'
import { fromTable } from '../../model/definition/from-table.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { loadPermissions, savePermissions } from './permissions.ts'
import { expressionOfColumns, ruleColumn } from '../../access/rules/rule-columns.ts'
import { ruleRelations } from '../../access/rules/related-rows.ts'
import { ruleTargets } from '../../access/rules/rule-targets.ts'
import { expressionFault, readableBy } from '../../access/rules/rule-check.ts'

export const roleHandlers: ServerHandlers['role'] = {
  permissions: ({ params }, context) => loadPermissions(context, params.id),
  savePermissions: ({ params, body }, context) => savePermissions(context, params.id, body),
  checkScope: async ({ body: { tag, expression } }, context) => {
    const entity = await context.registry.get(context.subject.tenant, tag)
    const access = await accessTo(context, entity, 'view')
    const wrong = await expressionFault(
      context,
      entity,
      expression,
      await readableBy(context, entity),
    )
    if (wrong !== null) return { fault: messageText(context.locale, wrong), rows: null, all: null }
    const condition = rowCondition(
      expressionOfColumns(entity, expression, await ruleTargets(context, entity)),
      ruleColumn(entity),
      ruleUser(context.subject),
      ruleRelations(context),
    )
    const {
      rows: [counts],
    } = await sql<{ inside: string; every: string }>`
      select count(*) filter (where ${condition}) as inside, count(*) as every
      from ${fromTable(entity)} where ${access.rows}`.execute(databaseOf(context))
    return { fault: null, rows: Number(counts?.inside ?? 0), all: Number(counts?.every ?? 0) }
  },
}
