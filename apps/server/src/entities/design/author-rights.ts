// Names that the author of a definition may use: only what they may read in full themselves, on
// every row (docs/rules/security.md#designers). Otherwise a definition would lend its rights to
// them.
import { allPermission } from '@jiaowu/api/limits'
import type { EntityDefinition } from '@jiaowu/api/entity/definition/definition'
import { entityPermission, may } from '@jiaowu/api/entity/permission'
import { findKind } from '@jiaowu/api/fields/kinds'
import { t } from '@jiaowu/api/texts/index'
import type { DesignContext, NamedPart } from '@jiaowu/validation'
import { isAllowed, mayRead } from '../../access/access.ts'
import { rulesOn, tablesBehind } from '../../access/rules/rules.ts'
import type { Context } from '../../model/context.ts'
import { compileSql, SqlRefusal } from '../custom-sql/compile.ts'
import { fieldKey, tableKey } from '../../model/definition/column-key.ts'
import type { Catalog } from '../../model/definition/catalog.ts'
import { listBases } from '../../model/definition/origins/view-guard.ts'
import { type LoadedEntity, systemColumns, valueFields } from '../../model/definition/loaded.ts'

/** Reads of the author in a table that entities use. */
interface TableReach {
  /** The first entity on the table, which a finding names. */
  readonly tag: string
  /** Some role shows the author every row. */
  isFull: boolean
  /** Columns that such a role shows, by key. */
  readonly readable: Set<string>
  /** Columns of passwords that such a role lets the author write. */
  readonly writable: Set<string>
  /** Columns that some entity uses. */
  readonly used: Set<string>
}
type Reach = ReadonlyMap<string, TableReach>

/** Answers the right that the author lacks to name a part of a definition. */
export async function authorRights(
  context: Context,
  definition: Pick<EntityDefinition, 'tag' | 'schemaName' | 'tableName' | 'fields'>,
  pending: readonly EntityDefinition[] = [],
): Promise<NonNullable<DesignContext['missingRight']>> {
  const { subject, registry, locale } = context
  if (may(subject.permissions, allPermission)) return () => null
  const entities = await registry.all(subject.tenant)
  const reach = await computeReach(context, entities)
  const catalog = await registry.catalog()
  const byTag = new Map(entities.map((entity) => [entity.tag, entity]))
  const own = `${definition.schemaName}.${definition.tableName}`
  const adopt = may(subject.permissions, 'entity:adopt') ? null : t(locale, 'design.right.adopt')
  const view = (tag: string) => t(locale, 'design.right.view', { tag })
  const { table, column } = readAuthorRights(reach, catalog, { adopt, view })
  const attribute = (tag: string, attrName: string): string | null => {
    const target = byTag.get(tag)
    // Its own table is checked with it.
    if (tag !== definition.tag && pending.some((each) => each.tag === tag)) return null
    if (tag === definition.tag) {
      const field = definition.fields.find((each) => each.attrName === attrName)
      return field === undefined || field.columnName === null
        ? table(own)
        : column(own, field.columnName, false)
    }
    if (target === undefined) return null
    const field = target.field(attrName)
    return field === undefined
      ? table(tableKey(target))
      : column(tableKey(target), fieldKey(field), false)
  }
  const sqlTables = (source: string): string | null => {
    // Without the right to write SQL the save is refused before (check.ts).
    if (!may(subject.permissions, 'entity:sql')) return null
    for (const each of listSqlTables(source, catalog)) {
      const found = reach.get(each)
      if (found === undefined && adopt !== null) return adopt
      if (
        found !== undefined &&
        !(found.isFull && [...found.used].every((key) => found.readable.has(key)))
      )
        return view(found.tag)
    }
    return null
  }
  return (part: NamedPart) => {
    switch (part.kind) {
      case 'table':
        return table(part.table)
      case 'column':
        return column(part.table, part.field.columnName ?? '', findKind(part.field.uiType).secret)
      case 'custom': {
        const entity = byTag.get(part.tag)
        return entity === undefined
          ? null
          : column(tableKey(entity), `custom:${part.attrName}`, false)
      }
      case 'attribute':
        return attribute(part.tag, part.attrName)
      case 'sql':
        return sqlTables(part.source)
      case 'parameter':
        return column('sys.param', 'value', false)
    }
  }
}

/** The rights that the author lacks to name a table or a column; a view lends what stands behind it. */
function readAuthorRights(
  reach: Reach,
  catalog: Catalog,
  { adopt, view }: { readonly adopt: string | null; readonly view: (tag: string) => string },
) {
  const ownTable = (name: string): string | null => {
    const found = reach.get(name)
    return found === undefined ? adopt : found.isFull ? null : view(found.tag)
  }
  const ownColumn = (name: string, key: string, isPassword: boolean): string | null => {
    const found = reach.get(name)
    if (found === undefined) return adopt
    if (!found.isFull) return view(found.tag)
    if (found.readable.has(key) || (isPassword && found.writable.has(key))) return null
    return found.used.has(key) ? view(found.tag) : adopt
  }
  const first = (rights: readonly (string | null)[]) =>
    rights.find((right) => right !== null) ?? null
  return {
    table: (name: string): string | null => {
      const known = catalog.get(name)
      return first([name, ...(known === undefined ? [] : tablesBehind(known))].map(ownTable))
    },
    column: (name: string, key: string, isPassword: boolean): string | null => {
      const known = catalog.get(name)
      const behind = known === undefined ? [] : listBases(known, key)
      return first([
        ownColumn(name, key, isPassword),
        ...behind.map((base) => ownColumn(base.table, base.column, false)),
      ])
    },
  }
}

async function computeReach(context: Context, entities: readonly LoadedEntity[]): Promise<Reach> {
  const found = new Map<string, TableReach>()
  for (const entity of entities) {
    const table = tableKey(entity)
    const reach = found.get(table) ?? emptyReach(entity)
    found.set(table, reach)
    const fields = valueFields(entity)
    for (const field of fields) if (!field.kind.secret) reach.used.add(fieldKey(field))
    const grants = fullGrants(context, entity)
    if (grants.length === 0) continue
    reach.isFull = true
    for (const name of [...entity.key.map(({ name }) => name), ...systemColumns])
      reach.readable.add(name)
    for (const field of fields)
      if (field.kind.secret) reach.writable.add(fieldKey(field))
      else if (isAllowed({ grants }, field, 'detail') || isAllowed({ grants }, field, 'export'))
        reach.readable.add(fieldKey(field))
  }
  return found
}

function emptyReach({ tag }: LoadedEntity): TableReach {
  return { tag, isFull: false, readable: new Set(), writable: new Set(), used: new Set() }
}

/** The author's grants of `view` that no row rule narrows. */
function fullGrants(context: Context, entity: LoadedEntity) {
  const { subject } = context
  const permission = entityPermission(entity.tag, 'view')
  if (!may(subject.permissions, permission) || !mayRead(entity, subject)) return []
  return rulesOn(subject, entity.table, permission)
    .filter(({ scope, behind }) => scope === 'all' && behind.length === 0)
    .map(({ overrides }) => ({ overrides, scope: null }))
}

/** None for a statement that is refused anyway. */
function listSqlTables(
  source: string,
  catalog: Parameters<typeof compileSql>[1],
): readonly string[] {
  try {
    return compileSql(source, catalog, null).tables.map(({ schema, name }) => `${schema}.${name}`)
  } catch (error) {
    if (error instanceof SqlRefusal) return []
    throw error
  }
}
