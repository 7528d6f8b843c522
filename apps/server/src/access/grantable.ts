// Everything a role can be granted: entities in the groups of the menu, with their scopes and fields.
import { allPermission } from '@jiaowu/api/limits'
import { entityPermission, may } from '@jiaowu/api/entity/permission'
import {
  functionPermissions,
  type GrantableEntity,
  type GrantableField,
  type GrantableGroup,
  narrowedFlags,
  type RowScope,
} from '@jiaowu/api/entity/role'
import { namingAttribute } from '@jiaowu/api/entity/definition/named-target'
import type { Context } from '../model/context.ts'
import { accessTo, isAllowed, mayRead } from './access.ts'
import { type LoadedEntity, type LoadedField, valueFields } from '../model/definition/loaded.ts'
import { relationTag } from '../model/definition/relation.ts'

/** Scopes that the table supports: `own` needs create_user, `org` needs org_id. */
export function listScopes(entity: LoadedEntity): RowScope[] {
  return [
    'all',
    ...(entity.has('create_user') ? ['own' as const] : []),
    ...(entity.has('org_id') ? ['org' as const, 'org_tree' as const] : []),
    'expression',
  ]
}

const isEnglish = ({ locale }: Context) => locale === 'en'

interface Branch {
  readonly name: string
  readonly tags: readonly string[]
}

/** Each entity once, in the group of its first menu entry; others by tag in a group without a name. */
export async function grantableGroups(context: Context): Promise<GrantableGroup[]> {
  const left = new Map(
    (await context.registry.all(context.subject.tenant)).map((entity) => [entity.tag, entity]),
  )
  const take = async (tag: string): Promise<GrantableEntity[]> => {
    const entity = left.get(tag)
    left.delete(tag)
    return entity === undefined ? [] : [await entityFor(context, entity)]
  }
  const groups: GrantableGroup[] = []
  for (const { name, tags } of await loadBranches(context)) {
    const entities: GrantableEntity[] = []
    for (const tag of tags) entities.push(...(await take(tag)))
    if (entities.length > 0) groups.push({ name, entities })
  }
  const others: GrantableEntity[] = []
  for (const tag of [...left.keys()].toSorted()) others.push(...(await take(tag)))
  return others.length === 0 ? groups : [...groups, { name: null, entities: others }]
}

async function entityFor(context: Context, entity: LoadedEntity): Promise<GrantableEntity> {
  const { name, nameEn } = entity.definition
  return {
    tag: entity.tag,
    name: isEnglish(context) && nameEn !== undefined && nameEn !== '' ? nameEn : name,
    scopes: listScopes(entity),
    fields: await fieldsFor(context, entity),
  }
}

/** Only fields that the caller may see. */
async function fieldsFor(context: Context, entity: LoadedEntity): Promise<GrantableField[]> {
  const { permissions } = context.subject
  // The audit log, and views over it, need more than `view`.
  if (!may(permissions, entityPermission(entity.tag, 'view'))) return []
  if (!mayRead(entity, context.subject)) return []
  const fields = valueFields(entity).filter(isNarrowable)
  if (may(permissions, allPermission))
    return fields.map((field) => toGrantableField(context, field))
  const access = await accessTo(context, entity, 'view')
  return fields
    .filter((field) => isAllowed(access, field, 'any'))
    .map((field) => toGrantableField(context, field))
}

function isNarrowable({ definition }: LoadedField): boolean {
  return narrowedFlags.some((flag) => definition[flag] !== 0)
}

function toGrantableField(context: Context, field: LoadedField): GrantableField {
  const { definition: d } = field
  return {
    attrName: d.attrName,
    label:
      isEnglish(context) && d.options.labelEn !== undefined && d.options.labelEn !== ''
        ? d.options.labelEn
        : d.uiLabel,
    flags: {
      isList: d.isList,
      isQuery: d.isQuery,
      isDetail: d.isDetail,
      isExport: d.isExport,
      isAdd: d.isAdd,
      isEdit: d.isEdit,
    },
    ...relationIn(field),
  }
}

function relationIn({ definition, column, kind }: LoadedField): Pick<GrantableField, 'relation'> {
  const tag = relationTag(definition)
  const isStep = column !== null && !kind.multiple && namingAttribute(definition) === null
  return tag === null || !isStep ? {} : { relation: tag }
}

async function loadBranches({ database: { kysely }, subject, locale }: Context): Promise<Branch[]> {
  const rows = await kysely
    .selectFrom('sys.menu')
    .select(['id', 'pid', 'name', 'name_en', 'tag'])
    .where('tenant_id', '=', subject.tenant)
    .where('deleted_at', 'is', null)
    .orderBy('sort')
    .orderBy('id')
    .execute()
  const children = Map.groupBy(rows, ({ pid }) => pid)
  const tagsBelow = (id: string, depth: number): string[] =>
    depth > 8
      ? []
      : (children.get(id) ?? []).flatMap((row) => [
          ...(row.tag === null ? [] : [row.tag]),
          ...tagsBelow(row.id, depth + 1),
        ])
  return (children.get('0') ?? []).map((row) => ({
    name: locale === 'en' ? (row.name_en ?? row.name) : row.name,
    tags: [...(row.tag === null ? [] : [row.tag]), ...tagsBelow(row.id, 1)],
  }))
}

const entityCode = /^entity:([^:]+):(?:view|add|update|delete|export)$/

/** Whether `code` is a permission that exists. */
export function isKnownCode(code: string, tags: ReadonlySet<string>): boolean {
  return (
    (functionPermissions as readonly string[]).includes(code) ||
    tags.has(entityCode.exec(code)?.[1] ?? '')
  )
}

export const tagOfCode = (code: string): string | null => entityCode.exec(code)?.[1] ?? null
