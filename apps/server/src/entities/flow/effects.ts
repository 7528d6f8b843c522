// Carries out the effects of a decision with the flow's right, in its transaction (docs/rules/contract.md#flows).
import type { FlowEffect } from '@jiaowu/api/entity/definition/flow'
import type { WireValue } from '@jiaowu/api/entity/values'
import { evaluate, ExpressionError, parseFormula } from '@jiaowu/validation'
import { type EntityAccess, wholeAccess } from '../../access/access.ts'
import type { Context } from '../../model/context.ts'
import type { LoadedEntity, LoadedField } from '../../model/definition/loaded.ts'
import type { AnyDatabase } from '../../platform/database/any-database.ts'
import { Invalid, type Refusal } from '../../platform/refusal.ts'
import { serverKey } from '../write/form-id.ts'
import { createDerivation, type Derive } from '../write/values/derive.ts'
import { type Change, checkSetValue } from '../write/values/values.ts'
import { defaultChanges, isServers, loadDefaults } from '../write/write.ts'
import { writeRows } from '../write/write-rows.ts'
import { readRowKey, type RowWriter } from '../write/writer.ts'
import { findEffectTag } from './facts.ts'
import type { FlowRow } from './row-people.ts'

interface EffectTarget {
  readonly entity: LoadedEntity
  readonly derive: Derive
  readonly defaults: ReadonlyMap<string, WireValue>
}
/** Facts that effects on other entities need, by tag, read before the transaction. */
export type EffectTargets = ReadonlyMap<string, EffectTarget>

export async function loadEffectTargets(
  context: Context,
  entity: LoadedEntity,
  effects: readonly FlowEffect[],
): Promise<EffectTargets> {
  const tags = new Set(effects.flatMap((effect) => findEffectTag(entity.definition, effect) ?? []))
  const found = new Map<string, EffectTarget>()
  for (const tag of tags) {
    const target = await context.registry.find(context.subject.tenant, tag)
    if (target !== undefined)
      found.set(tag, {
        entity: target,
        derive: await createDerivation(context, target),
        defaults: await loadDefaults(context, target),
      })
  }
  return found
}

/** The row's own changes by `set`, each seeing those before it. */
export function listOwnChanges(
  access: EntityAccess,
  effects: readonly FlowEffect[],
  scope: FlowRow['scope'],
): readonly Change[] {
  const row: Record<string, unknown> = { ...scope }
  return effects.flatMap((effect) => {
    if (!('set' in effect)) return []
    const changes = listChanges(access, effect.set, row)
    for (const { field, value } of changes) row[field.definition.attrName] = value
    return changes
  })
}

interface Case {
  readonly entity: LoadedEntity
  readonly id: string
  readonly row: FlowRow
}

/** Writes the other rows. `scope` is the row as the decision leaves it. */
export async function performEffects(
  trx: AnyDatabase,
  context: Context,
  flowCase: Case,
  targets: EffectTargets,
  effects: readonly FlowEffect[],
  scope: FlowRow['scope'],
): Promise<void> {
  for (const effect of effects) {
    if (!('update' in effect) && !('create' in effect)) continue
    const target = targets.get(findEffectTag(flowCase.entity.definition, effect) ?? '')
    if (target === undefined)
      throw emptyTarget('create' in effect ? effect.create.tag : effect.update.relation)
    const access = wholeAccess(target.entity, context.subject.tenant)
    const writer = createEffectWriter(context, flowCase, target)
    if ('create' in effect) {
      const changes = listChanges(access, effect.create.set, scope)
      await writeRows(trx, { ...writer, add: access }, [
        {
          kind: 'create',
          id: serverKey(target.entity, context.newId),
          changes: [
            ...changes,
            ...defaultChanges(target.entity, changes, target.defaults, isServers(target.entity)),
          ],
        },
      ])
      continue
    }
    const ids = flowCase.row.related.get(effect.update.relation) ?? []
    const [id] = ids
    if (id === undefined) throw emptyTarget(findLabel(flowCase.entity, effect.update.relation))
    await writeRows(trx, { ...writer, change: access }, [
      { kind: 'update', id, changes: listChanges(access, effect.update.set, scope) },
    ])
  }
}

function createEffectWriter(
  context: Context,
  { entity, id }: Case,
  target: EffectTarget,
): RowWriter {
  return {
    context,
    entity: target.entity,
    isJob: false,
    add: null,
    change: null,
    derive: target.derive,
    flow: 'effect',
    flowTag: entity.tag,
    audit: (trx, rows) => {
      for (const row of rows)
        context.audit(
          {
            action: row.kind === 'create' ? 'entity.add' : 'entity.update',
            object: target.entity.tag,
            objectId: readRowKey(row),
            result: 'ok',
            detail: {
              fields: row.changes.map(({ field }) => field.definition.attrName),
              flow: `${entity.tag} ${id}`,
            },
          },
          trx,
        )
    },
  }
}

function findLabel(entity: LoadedEntity, attrName: string): string {
  return entity.field(attrName)?.definition.uiLabel ?? attrName
}

function emptyTarget(name: string): Refusal {
  return new Invalid([
    { path: 'effects', rule: 'flow', message: { key: 'flow.effectTarget', params: { name } } },
  ])
}

function listChanges(
  access: EntityAccess,
  sets: Readonly<Record<string, string>>,
  row: Readonly<Record<string, unknown>>,
): Change[] {
  return Object.entries(sets).map(([attrName, source]) => {
    const field = access.entity.field(attrName)
    if (field === undefined) throw wrongValue(`${access.entity.tag}.${attrName}`)
    const checked = checkSetValue(access, field, toWire(field, compute(source, row)))
    if ('rule' in checked) throw wrongValue(`${field.definition.uiLabel} = ${source}`)
    return checked
  })
}

function wrongValue(name: string): Invalid {
  return new Invalid([
    { path: 'effects', rule: 'flow', message: { key: 'flow.effectValue', params: { name } } },
  ])
}

/** @throws Invalid where the expression cannot be computed */
export function compute(source: string, row: Readonly<Record<string, unknown>>): unknown {
  try {
    return evaluate(parseFormula(source), { row, user: {}, mode: 'flow' })
  } catch (error) {
    if (error instanceof ExpressionError) throw wrongValue(source)
    throw error
  }
}

/** A value as the field has it on the wire: a choice is a list of items, anything else is no list. */
export function toWire(field: LoadedField, value: unknown): WireValue {
  const first: unknown = Array.isArray(value) ? value[0] : value
  const plain =
    typeof first === 'object' && first !== null && 'id' in first ? first.id : (first ?? null)
  const empty = field.kind.empty
  if (Array.isArray(empty))
    return plain === null || plain === '' ? [] : [{ id: String(plain), name: '' }]
  return plain === null || typeof plain === 'number' ? plain : String(plain)
}
