// Faults of a flow that need no walk: its shape, its expressions, and the names that it uses.
import type { Flow, FlowEffect, FlowTerm } from '@jiaowu/api/entity/definition/flow'
import {
  ExpressionError,
  findDeepRead,
  listRowNames,
  parseExpression,
  parseFormula,
} from '@jiaowu/validation'
import type { Expression } from '@jiaowu/validation'
import type { FlowFault, FlowFaultId } from './fault.ts'
import { type FlowParts, placeOf, type ShapeRule } from './parts.ts'

/** What the prover knows of the definition and its school; null parts are unknown. */
export interface FlowFacts {
  readonly fields: ReadonlyMap<string, FlowField> | null
  /** Fields of another entity that may be written; undefined where there is none of the tag. */
  readonly fieldsOf: ((tag: string) => ReadonlySet<string> | undefined) | null
  /** People with the role in this school by its code; undefined where the school has no such role. */
  readonly holders: ((role: string) => number | undefined) | null
  /** Whether something waits for the timers of `after`. */
  readonly hasTimers: boolean
}
export interface FlowField {
  /** The other entity, for relations. */
  readonly relation: string | null
  /** Ids of the choices; null for any value. */
  readonly items: readonly string[] | null
  readonly isRequired: boolean
  /** Whether it takes the key of a state. */
  readonly isText: boolean
  readonly isWritten: boolean
  /** Whether forms may change it, so that a decider can fill it in. */
  readonly isEdited: boolean
}

const shapeIds: Readonly<Record<ShapeRule, FlowFaultId>> = {
  initial: 'flow.fault.initial',
  noInitial: 'flow.fault.noInitial',
  final: 'flow.fault.final',
  target: 'flow.fault.target',
  who: 'flow.fault.who',
  onDone: 'flow.fault.onDone',
  regions: 'flow.fault.regions',
  depth: 'flow.fault.depth',
}

export function checkParts(parts: FlowParts, facts: FlowFacts): readonly FlowFault[] {
  return [...listShapeFaults(parts), ...listNameFaults(parts, facts)]
}

function buildFault(
  id: FlowFaultId,
  place: { readonly state: string; readonly event?: string },
  name: string,
  severity: FlowFault['severity'] = 'error',
): FlowFault {
  const { state, event = '' } = place
  const at = placeOf(state, event)
  return {
    id,
    severity,
    at: at === '' ? 'options.flow' : `options.flow.${at}`,
    path: [],
    states: state === '' ? [] : [state],
    params: { state: state === '' ? '*' : state, event: event === '' ? '*' : event, name },
  }
}

function listShapeFaults({ faults }: FlowParts): readonly FlowFault[] {
  return faults.map(({ rule, state, event, name }) =>
    buildFault(shapeIds[rule], { state, event }, name),
  )
}

function listNameFaults(parts: FlowParts, facts: FlowFacts): readonly FlowFault[] {
  const { flow, states, events, done } = parts
  const known = (name: string) => facts.fields === null || facts.fields.has(name)
  const found: FlowFault[] = []
  const place = { state: '' }
  const field = facts.fields?.get(flow.field)
  if (facts.fields !== null && (field === undefined || !field.isText || !field.isWritten))
    found.push(buildFault('flow.fault.field', place, flow.field))
  if (field?.items !== null && field?.items !== undefined) {
    const { items } = field
    for (const key of Object.keys(flow.states))
      if (!items.includes(key))
        found.push(buildFault('flow.fault.noItem', { state: key }, flow.field))
  }
  for (const { path, state } of states.values())
    for (const name of state?.edit ?? [])
      if (!known(name) || name === flow.field)
        found.push(buildFault('flow.fault.edit', { state: path }, name))
  for (const { path, key, event, effects } of events) {
    const own = { state: path, event: key }
    for (const { attrName } of event?.ask ?? [])
      if (
        !known(attrName) ||
        attrName === flow.field ||
        facts.fields?.get(attrName)?.isEdited === false
      )
        found.push(buildFault('flow.fault.ask', own, attrName))
    if (event === null && !facts.hasTimers)
      found.push(buildFault('flow.fault.effect', own, 'after'))
    if (event !== null) {
      for (const part of event.who)
        if (part !== 'others')
          for (const term of listTerms(part)) found.push(...checkTerm(term, facts, own))
      if (event.when !== undefined)
        found.push(...checkExpression(event.when, parseExpression, facts, own))
    }
    for (const effect of effects) found.push(...checkEffect(effect, flow, facts, own))
  }
  for (const [path, { effects }] of done)
    for (const effect of effects)
      found.push(...checkEffect(effect, flow, facts, { state: path, event: 'onDone' }))
  for (const rule of flow.rules ?? [])
    if (typeof rule === 'object' && 'noEffectWhen' in rule)
      found.push(...checkExpression(rule.noEffectWhen, parseExpression, facts, place))
  return found
}

type WhoPart =
  | FlowTerm
  | { readonly any: readonly FlowTerm[] }
  | { readonly all: readonly FlowTerm[] }
  | { readonly of: readonly FlowTerm[] }

function listTerms(part: WhoPart): readonly FlowTerm[] {
  return 'any' in part ? part.any : 'all' in part ? part.all : 'of' in part ? part.of : [part]
}

function checkTerm(
  term: FlowTerm,
  { fields, holders }: FlowFacts,
  place: { state: string; event: string },
): readonly FlowFault[] {
  const read = 'person' in term ? term.person : 'role' in term ? term.within : undefined
  const name = read?.slice('row.'.length)
  const isRelation =
    name === undefined || fields === null || (fields.get(name)?.relation ?? null) !== null
  return [
    ...(isRelation ? [] : [buildFault('flow.fault.person', place, name ?? '')]),
    ...('role' in term && holders !== null && holders(term.role) === undefined
      ? [buildFault('flow.fault.role', place, term.role)]
      : []),
  ]
}

function checkEffect(
  effect: FlowEffect,
  flow: Flow,
  facts: FlowFacts,
  place: { state: string; event: string },
): readonly FlowFault[] {
  if ('document' in effect || 'notify' in effect)
    return [buildFault('flow.fault.effect', place, 'document' in effect ? 'document' : 'notify')]
  const sets =
    'set' in effect ? effect.set : 'update' in effect ? effect.update.set : effect.create.set
  const faults = Object.values(sets).flatMap((source) =>
    checkExpression(source, parseFormula, facts, place),
  )
  const unknown = (names: ReadonlySet<string> | undefined, prefix: string) =>
    Object.keys(sets)
      .filter((name) => names !== undefined && !names.has(name))
      .map((name) => buildFault('flow.fault.set', place, `${prefix}${name}`))
  if ('set' in effect)
    return [
      ...faults,
      ...(facts.fields === null
        ? []
        : unknown(new Set([...facts.fields.keys()].filter((name) => name !== flow.field)), '')),
    ]
  const tag =
    'create' in effect
      ? effect.create.tag
      : (facts.fields?.get(effect.update.relation)?.relation ?? null)
  if (tag === null)
    return facts.fields === null || !('update' in effect)
      ? faults
      : [...faults, buildFault('flow.fault.relation', place, effect.update.relation)]
  if (facts.fieldsOf === null) return faults
  const names = facts.fieldsOf(tag)
  return names === undefined
    ? [...faults, buildFault('flow.fault.relation', place, tag)]
    : [...faults, ...unknown(names, `${tag}.`)]
}

/** Expressions of flows read the row alone, and one step into its relations. */
function checkExpression(
  source: string,
  parse: (source: string) => Expression,
  { fields }: FlowFacts,
  place: { state: string; event?: string },
): readonly FlowFault[] {
  let ast: Expression
  try {
    ast = parse(source)
  } catch (error) {
    if (error instanceof ExpressionError)
      return [buildFault('flow.fault.expression', place, source)]
    throw error
  }
  const names = listRowNames(ast)
  const wrong =
    findForeignRoot(ast) ??
    findDeepRead(ast) ??
    names.find((name) => fields !== null && !fields.has(name) && name !== 'id')
  return wrong === undefined ? [] : [buildFault('flow.fault.reads', place, wrong)]
}

function findForeignRoot(node: Expression): string | undefined {
  if (node.type === 'name') return node.name === 'row' ? undefined : node.name
  const inner =
    node.type === 'list'
      ? node.items
      : node.type === 'member'
        ? [node.object, node.property]
        : node.type === 'unary'
          ? [node.operand]
          : node.type === 'binary'
            ? [node.left, node.right]
            : node.type === 'conditional'
              ? [node.test, node.yes, node.no]
              : node.type === 'call'
                ? node.arguments
                : []
  return inner.map(findForeignRoot).find((name) => name !== undefined)
}
