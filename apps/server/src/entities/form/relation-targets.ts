// The entities that values of a column can name, with the key that a foreign key points to.
import type { PlannedColumn } from '@jiaowu/api/entity/definition/sheet'
import { may, entityPermission } from '@jiaowu/api/entity/permission'
import type { Context } from '../../model/context.ts'
import type { LoadedEntity } from '../../model/definition/loaded.ts'
import { isOwnSchema, isSchoolColumn } from '../../model/definition/school-columns.ts'
import type { Column } from '../../model/fields/column.ts'
import { Invalid } from '../../platform/refusal.ts'
import type { RelationTarget, Targets } from './column-type.ts'

/** Types of keys that a column can repeat. */
const keyTypes: Readonly<Record<string, (column: Column) => string>> = {
  int2: () => 'smallint',
  int4: () => 'integer',
  int8: () => 'bigint',
  uuid: () => 'uuid',
  text: () => 'text',
  varchar: ({ length }) => (length === null ? 'varchar' : `varchar(${length})`),
  bpchar: ({ length }) => `char(${length ?? 1})`,
}

/** The entities of business tables that the author may see and whose rows a column can name. */
export async function listTargets(context: Context): Promise<readonly LoadedEntity[]> {
  const { registry, subject } = context
  return (await registry.all(subject.tenant)).filter(
    (entity) =>
      findTarget(entity) !== null &&
      may(subject.permissions, entityPermission(entity.tag, 'view')) &&
      entity.definition.tagField !== null,
  )
}

/** Null for views, keys of several columns, and tables of accounts and settings. */
function findTarget({ tag, table, key }: LoadedEntity): RelationTarget | null {
  const [only, ...more] = key
  const type = only === undefined ? undefined : keyTypes[only.type]
  if (
    only === undefined ||
    type === undefined ||
    more.length > 0 ||
    table.schema === 'sys' ||
    (table.kind ?? 'table') !== 'table'
  )
    return null
  const school = table.columns.get('tenant_id')
  const hasSchool = school !== undefined && isSchoolColumn(table.schema, school)
  // The key of another program's table is unique among all schools.
  if (!hasSchool && isOwnSchema(table.schema)) return null
  return {
    tag,
    schema: table.schema,
    table: table.name,
    column: only.name,
    type: type(only),
    hasSchool,
  }
}

/** @throws Invalid for a relation to an entity that the author cannot see, or that has no such key */
export async function resolveTargets(
  context: Context,
  columns: readonly PlannedColumn[],
): Promise<Targets> {
  const known = await listTargets(context)
  return new Map(
    columns.flatMap(({ kind, target, label }, i) => {
      if (kind !== 'relation') return []
      const entity = known.find(({ tag }) => tag === target)
      const found = entity === undefined ? null : findTarget(entity)
      if (found === null)
        throw new Invalid([
          {
            path: `columns.${i}.target`,
            rule: 'target',
            message: { key: 'made.noTarget', params: { label, tag: target ?? '' } },
          },
        ])
      return [[found.tag, found] as const]
    }),
  )
}
