// Lists what depends on parts that a save of a definition removes or renames, before the save
// (docs/spec/2-student-service-and-designer.md §3, docs/rules/contract.md#definitions).
import type { ButtonAction } from '@jiaowu/api/entity/definition/button'
import type { EntityDefinition, FieldDefinition } from '@jiaowu/api/entity/definition/definition'
import { holdsValue } from '@jiaowu/api/fields/kinds'
import type { Impact, ImpactKind } from '@jiaowu/api/entity/definition/stored'
import { messageText, type TextKey, type TextParams } from '@jiaowu/api/texts/index'
import type { Context } from '../../model/context.ts'
import { loadFlowLoss } from '../flow/removal.ts'
import { impactOnViews } from '../views/impact.ts'

type ReportImpact = (
  kind: ImpactKind,
  object: string,
  breaks: boolean,
  params: TextParams,
) => Impact

/** Lists the effects of replacing `before` by `after`. `others`: the tenant's other entities. */
export async function computeImpact(
  context: Context,
  before: EntityDefinition,
  after: EntityDefinition,
  others: readonly EntityDefinition[],
): Promise<Impact[]> {
  const report = impactReporter(context)
  const keptNames = attrNames(after)
  const removed = before.fields.filter(
    ({ attrName, uiType }) => holdsValue(uiType) && !keptNames.has(attrName),
  )
  const removedNames = new Set(removed.map(({ attrName }) => attrName))
  const renamed = before.fields.filter(
    (field) =>
      field.isAdd === 1 &&
      holdsValue(field.uiType) &&
      after.fields.find(({ attrName }) => attrName === field.attrName)?.uiLabel !== field.uiLabel,
  )
  return [
    ...impactOnOtherEntities(report, before.tag, removedNames, others),
    ...(await impactOnRoleRules(report, context, before, after)),
    ...(await impactOnCustomValues(report, context, before.tag, removed)),
    ...(await impactOnViews(context, before, after)),
    ...(await impactOnFlow(report, context, before, after)),
    ...renamed.map((field) => report('template', field.attrName, false, { label: field.uiLabel })),
    ...(before.options.serialNumType !== null && formatSerialKey(before) !== formatSerialKey(after)
      ? [report('serial', before.tag, false, {})]
      : []),
  ]
}

function impactReporter({ locale }: Context): ReportImpact {
  return (kind, object, breaks, params) => ({
    kind,
    object,
    breaks,
    msg: messageText(locale, { key: `impact.${kind}` as TextKey, params }),
  })
}

function attrNames({ fields }: EntityDefinition) {
  return new Set(fields.filter(({ uiType }) => holdsValue(uiType)).map(({ attrName }) => attrName))
}

/** Lookups, cascades and buttons of other entities that name an attribute of this one. */
function impactOnOtherEntities(
  report: ReportImpact,
  tag: string,
  removedNames: ReadonlySet<string>,
  others: readonly EntityDefinition[],
): Impact[] {
  return others.flatMap((other) => {
    const pointing = other.fields.filter(
      (field) => field.dictType === 1 && field.dictValue?.split('.')[0] === tag,
    )
    const lookups = pointing
      .filter(({ dictValue }) => removedNames.has(dictValue?.split('.')[1] ?? ''))
      .map((field) =>
        report('lookup', other.tag, true, {
          tag: other.tag,
          label: field.uiLabel,
          name: field.dictValue ?? '',
        }),
      )
    const cascades = pointing.flatMap((field) =>
      (field.options.cascades ?? [])
        .filter(({ filterAttr }) => removedNames.has(filterAttr))
        .map(({ filterAttr }) =>
          report('cascade', other.tag, true, {
            tag: other.tag,
            label: field.uiLabel,
            name: filterAttr,
          }),
        ),
    )
    const buttons = listDefinitionActions(other).flatMap(({ name, action }) =>
      action.do === 'request' && action.tag === tag
        ? Object.keys(action.values ?? {})
            .filter((attr) => removedNames.has(attr))
            .map((attr) =>
              report('button', other.tag, true, { tag: other.tag, label: name, name: attr }),
            )
        : [],
    )
    return [...lookups, ...cascades, ...buttons]
  })
}

function listDefinitionActions({ buttons }: EntityDefinition) {
  return buttons.flatMap(({ name, eventContent }) =>
    (Array.isArray(eventContent) ? eventContent : []).map((action: ButtonAction) => ({
      name,
      action,
    })),
  )
}

/** Rules follow columns: they are lost to the entity only when it moves to another table. */
async function impactOnRoleRules(
  report: ReportImpact,
  { database: { kysely }, subject }: Context,
  before: EntityDefinition,
  after: EntityDefinition,
): Promise<Impact[]> {
  const table = buildImpactTableKey(before)
  if (table === buildImpactTableKey(after)) return []
  const rules = await kysely
    .selectFrom('sys.role_table_rule as e')
    .innerJoin('sys.role as r', (join) =>
      join.onRef('r.tenant_id', '=', 'e.tenant_id').onRef('r.id', '=', 'e.role_id'),
    )
    .select('r.name')
    .where('e.tenant_id', '=', subject.tenant)
    .where('e.table_name', '=', table)
    .execute()
  return rules.map(({ name: role }) => report('rule', role, true, { role, name: table }))
}

function buildImpactTableKey({ schemaName, tableName }: EntityDefinition): string {
  return `${schemaName}.${tableName}`
}

async function impactOnFlow(
  report: ReportImpact,
  context: Context,
  before: EntityDefinition,
  after: EntityDefinition,
): Promise<Impact[]> {
  const { open, freed } = await loadFlowLoss(context, before, after)
  return [
    ...(open === 0 ? [] : [report('flowCases', before.tag, false, { n: open })]),
    ...freed.map((name) => report('flowOwned', name, true, { name })),
  ]
}

async function impactOnCustomValues(
  report: ReportImpact,
  { database: { kysely }, subject }: Context,
  tag: string,
  removed: readonly FieldDefinition[],
): Promise<Impact[]> {
  const custom = removed.filter(
    ({ columnName, uiType }) => columnName === null && holdsValue(uiType),
  )
  if (custom.length === 0) return []
  const counts = await kysely
    .selectFrom('sys.custom_value')
    .select(({ fn }) => ['attr_name', fn.countAll<string>().as('n')])
    .where('tenant_id', '=', subject.tenant)
    .where('tag', '=', tag)
    .where(
      'attr_name',
      'in',
      custom.map(({ attrName }) => attrName),
    )
    .groupBy('attr_name')
    .execute()
  return counts.map(({ attr_name, n }) =>
    report('customValue', attr_name, true, {
      label: custom.find(({ attrName }) => attrName === attr_name)?.uiLabel ?? attr_name,
      n,
    }),
  )
}

function formatSerialKey({ options }: EntityDefinition) {
  return JSON.stringify([options.serialNumType, options.serialNumConfig, options.serialNumField])
}
