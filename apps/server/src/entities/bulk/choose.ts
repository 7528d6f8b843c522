// Which rows a bulk change selects and which fields it may set, by the rules of a form.
import type { BulkSelection } from '@jiaowu/api/contract/entity/bulk'
import { isMoney } from '@jiaowu/api/fields/money'
import { isSettable } from '@jiaowu/api/entity/config'
import { limits } from '@jiaowu/api/limits'
import type { WireValue } from '@jiaowu/api/entity/values'
import { parseFormulas, validateField } from '@jiaowu/validation'
import * as v from 'valibot'
import type { Context } from '../../model/context.ts'
import { accessTo, type EntityAccess, isAllowed } from '../../access/access.ts'
import { isUnique } from '../config/entity-config.ts'
import { countUpTo } from '../read/totals/count.ts'
import { type LoadedEntity, type LoadedField } from '../../model/definition/loaded.ts'
import { assertChoices } from '../read/filter/known-choices.ts'
import { compileQuery, buildFilterFault, type QueryPlan, unknownField } from '../read/query.ts'
import { chosenRows } from '../read/row.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { isEditable } from '../write/values/values.ts'
import { type Fault, Invalid } from '../../platform/refusal.ts'
import type { Where } from '@jiaowu/api/entity/list/list-query'
import { withRelated } from '../read/filter/related.ts'
import type { BulkOptions } from '../jobs/job.ts'

/** `view` limits the selection, `act` what may be changed. */
export interface BulkRights {
  readonly view: EntityAccess
  readonly act: EntityAccess
}

/** @throws Refusal 403, 404 */
export async function rightsTo(
  context: Context,
  entity: LoadedEntity,
  { action, where }: Pick<BulkOptions, 'action'> & { readonly where?: Where | null | undefined },
): Promise<BulkRights> {
  return {
    view: await withRelated(context, await accessTo(context, entity, 'view'), where),
    act: await accessTo(context, entity, action),
  }
}

/**
 * Fingerprint of the definition and the field rules: rows checked under another one must be checked
 * again.
 */
export function computeBasis({ act: { entity, grants } }: BulkRights): string {
  return JSON.stringify([entity.revision, grants.map(({ overrides }) => overrides)])
}

/**
 * The selection, newest first: the order by id is stable under the change.
 * @throws Invalid for a bad filter
 */
export function planSelection(
  { view }: BulkRights,
  { ids, queries, where, except }: Pick<BulkOptions, 'ids' | 'queries' | 'where' | 'except'>,
): QueryPlan {
  return chosenRows(
    compileQuery(view, {
      queries: ids === null ? queries : {},
      where: ids === null ? where : undefined,
      sorts: [{ column: view.entity.definition.idField, asc: false }],
    }),
    { ids: ids ?? undefined, except },
  )
}

/** @throws Invalid when nothing is selected, or more than the limit */
export async function assertSize(
  context: Context,
  rights: BulkRights,
  options: BulkOptions,
): Promise<number> {
  if (options.ids !== null) {
    if (options.ids.length === 0)
      throw new Invalid([buildFilterFault('ids', 'required', { key: 'list.noSelection' })])
    return options.ids.length
  }
  await assertChoices(context, rights.view, { queries: options.queries, where: options.where })
  const found = await countUpTo(
    databaseOf(context),
    planSelection(rights, options),
    limits.bulkRows + 1,
  )
  if (found > limits.bulkRows)
    throw new Invalid([
      buildFilterFault('queries', 'range', { key: 'bulk.tooMany', params: { n: limits.bulkRows } }),
    ])
  return found
}

/** The ids or the filter of a request. @throws Invalid without either */
export function parseSelection({
  ids,
  queries,
  where,
  except,
}: { readonly [K in keyof BulkSelection]: BulkSelection[K] | undefined }): Pick<
  BulkOptions,
  'ids' | 'queries' | 'where' | 'except'
> {
  if (ids === undefined && queries === undefined && where === undefined)
    throw new Invalid([buildFilterFault('ids', 'required', { key: 'list.noSelection' })])
  return {
    ids: ids === undefined ? null : [...new Set(ids)],
    queries: queries ?? {},
    ...(where !== undefined && { where }),
    except: except ?? [],
  }
}

/**
 * The values to set, parsed by their field kinds.
 * @throws Invalid with a fault for each field that may not be set or whose value is bad
 */
export function valuesToSet(
  { act }: BulkRights,
  set: Readonly<Record<string, unknown>>,
): Readonly<Record<string, WireValue>> {
  const faults: Fault[] = []
  const values: Record<string, WireValue> = {}
  for (const [attrName, raw] of Object.entries(set)) {
    const field = act.entity.field(attrName)
    if (field === undefined || !isAllowed(act, field, 'any')) {
      faults.push(unknownField(attrName))
      continue
    }
    if (!mayBeSet(act, field)) {
      faults.push(buildFilterFault(attrName, 'notWritable', { key: 'bulk.notSettable' }))
      continue
    }
    const read = v.safeParse(field.kind.value, raw)
    const wrong = isMoney(field.definition)
      ? validateField({ ...field.definition, valids: {} }, raw)
      : null
    if (wrong !== null) faults.push(buildFilterFault(attrName, wrong.rule, wrong.message))
    else if (read.success) values[attrName] = read.output as WireValue
    else faults.push(buildFilterFault(attrName, 'value', { key: 'rule.value' }))
  }
  // Nothing to set: derived fields are computed anew.
  if (faults.length === 0 && Object.keys(values).length === 0 && !hasFormulas(act.entity))
    faults.push(buildFilterFault('set', 'required', { key: 'bulk.nothingSet' }))
  if (faults.length > 0) throw new Invalid(faults)
  return values
}

function hasFormulas({ formulaFields }: LoadedEntity): boolean {
  return parseFormulas(formulaFields).length > 0
}

function mayBeSet(access: EntityAccess, field: LoadedField): boolean {
  const { uiType, attrName, isAdd, isEdit, disabled, derived } = field.definition
  const { entity } = access
  return (
    isEditable(access, field, 'edit') &&
    isSettable({
      uiType,
      isAdd,
      isEdit,
      disabled,
      derived,
      ...(field.pii !== null && { pii: field.pii }),
      unique: isUnique(entity, field),
      numbered: attrName === entity.definition.options.serialNumField,
    })
  )
}
