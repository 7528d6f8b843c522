// The entities that a row rule reaches from the fields of an entity, for the page that writes rules
// (docs/rules/security.md#rules-across-relations). Stored rules need no definitions.
import type { Context } from '../../model/context.ts'
import { tableKey } from '../../model/definition/column-key.ts'
import type { LoadedEntity, LoadedField } from '../../model/definition/loaded.ts'
import { relationTag } from '../../model/definition/relation.ts'
import type { Aim } from './aimed-names.ts'

/** The rows that a field points to. */
export interface RuleTarget {
  readonly entity: LoadedEntity
  readonly aim: Aim
  /** A field that holds several ids has no one row to read. */
  readonly isSingle: boolean
}
export type TargetOf = (entity: LoadedEntity, attrName: string) => RuleTarget | undefined

/** The targets of the fields of `entity`, and of the fields of these targets. */
export async function ruleTargets(
  context: Pick<Context, 'registry' | 'subject'>,
  entity: LoadedEntity,
): Promise<TargetOf> {
  const known = new Map<LoadedEntity, ReadonlyMap<string, RuleTarget>>()
  const load = async (each: LoadedEntity) => {
    const found = known.get(each) ?? (await targetsFrom(context, each))
    known.set(each, found)
    return found
  }
  for (const target of (await load(entity)).values()) await load(target.entity)
  return (each, attrName) => known.get(each)?.get(attrName)
}
export const noTargets: TargetOf = () => undefined

/** The row of the entity itself, which its key names. */
export function ownAim(entity: LoadedEntity, field: LoadedField): Aim | undefined {
  const [only, ...more] = entity.key
  return only !== undefined && more.length === 0 && field.column?.name === only.name
    ? { table: tableKey(entity), key: [only.name] }
    : undefined
}

async function targetsFrom(
  { registry, subject }: Pick<Context, 'registry' | 'subject'>,
  { fields }: LoadedEntity,
): Promise<ReadonlyMap<string, RuleTarget>> {
  const found = new Map<string, RuleTarget>()
  for (const { definition, column, kind } of fields) {
    const tag = column === null ? null : relationTag(definition)
    const target = tag === null ? undefined : await registry.find(subject.tenant, tag)
    if (target === undefined) continue
    const { valueAttr } = definition.options
    const value = valueAttr === undefined ? undefined : target.column(valueAttr)
    if (valueAttr !== undefined && value === undefined) continue
    const key = value === undefined ? target.key.map(({ name }) => name) : [value.name]
    if (key.length > 0)
      found.set(definition.attrName, {
        entity: target,
        aim: { table: tableKey(target), key },
        isSingle: !kind.multiple,
      })
  }
  return found
}
