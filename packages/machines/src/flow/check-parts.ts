// Faults of a flow that need no walk: its shape, its expressions, and the names that it uses.
import {
  type Flow,
  type FlowDocument,
  type FlowEffect,
  type FlowTerm,
  studentTag,
} from '@jiaowu/api/entity/definition/flow'
import {
  ExpressionError,
  findDeepRead,
  findUnknownRoot,
  listRowNames,
  parseExpression,
  parseFormula,
} from '@jiaowu/validation'
import type { Expression } from '@jiaowu/validation'
import type { FlowFault, FlowFaultId } from './fault.ts'
import {
  type FlowParts,
  formatDefinitionPlace,
  listSets,
  listWrites,
  type ShapeRule,
} from './parts.ts'
import { splitParagraph } from './paragraph.ts'

/** The prover's knowledge of the definition and its school; null parts are unknown. */
export interface FlowFacts {
  readonly fields: ReadonlyMap<string, FlowField> | null
  /** Fields of another entity that may be written; undefined where there is none of the tag. */
  readonly fieldsOf: ((tag: string) => ReadonlySet<string> | undefined) | null
  /** People with the role in this school by its code; undefined where the school has no such role. */
  readonly holders: ((role: string) => number | undefined) | null
  /** The tag of another flow that owns a field, as `owns` names it from here. */
  readonly ownerOf: ((name: string) => string | undefined) | null
  /** Codes of texts for notices. */
  readonly templates: ReadonlySet<string> | null
  /** Whether the school's calendar has days from today on. */
  readonly hasCalendar: boolean | null
}
export interface FlowField {
  /** The other entity, for relations. */
  readonly relation: string | null
  /** Ids of the choices; null for any value. */
  readonly items: readonly string[] | null
  readonly isRequired: boolean
  /** Whether a new row has a value that nobody entered. */
  readonly hasDefault: boolean
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
  return {
    id,
    severity,
    at: formatDefinitionPlace(state, event),
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
  return [
    ...checkField(flow, facts),
    ...checkStudent(flow, facts),
    ...[...states.values()].flatMap(({ path, state }) =>
      (state?.edit ?? [])
        .filter((name) => !isKnownField(facts, name) || name === flow.field)
        .map((name) => buildFault('flow.fault.edit', { state: path }, name)),
    ),
    ...events.flatMap((part) => checkEvent(part, flow, facts)),
    ...[...done].flatMap(([path, { effects }]) =>
      effects.flatMap((effect) =>
        checkEffect(effect, flow, facts, { state: path, event: 'onDone' }),
      ),
    ),
    ...checkOwned(parts, facts),
    ...Object.values(flow.documents ?? {}).flatMap((document) => checkDocument(document, facts)),
    ...(flow.rules ?? []).flatMap((rule) =>
      typeof rule === 'object' && 'noEffectWhen' in rule
        ? checkExpression(rule.noEffectWhen, parseExpression, facts, { state: '' })
        : [],
    ),
  ]
}

function isKnownField({ fields }: FlowFacts, name: string): boolean {
  return fields === null || fields.has(name)
}

/** Fields that the flow owns are written by its effects, opened by no state, and written by no second flow. */
function checkOwned(parts: FlowParts, { ownerOf }: FlowFacts): readonly FlowFault[] {
  const { flow, states } = parts
  const owned = new Set(flow.owns)
  const written = listWrites(parts)
  return [
    ...[...owned]
      .filter((name) => !written.has(name))
      .map((name) => buildFault('flow.fault.ownsUnwritten', { state: '' }, name)),
    ...[...states.values()].flatMap(({ path, state }) =>
      (state?.edit ?? [])
        .filter((name) => owned.has(name))
        .map((name) => buildFault('flow.fault.ownsOpen', { state: path }, name)),
    ),
    ...[...new Set([...owned, ...written])].flatMap((name) => {
      const tag = ownerOf?.(name)
      return tag === undefined
        ? []
        : [buildFault('flow.fault.ownsTwice', { state: '' }, `${name}（${tag}）`)]
    }),
  ]
}

/** The field of the state, and its choices where it has some. */
function checkField(flow: Flow, { fields }: FlowFacts): readonly FlowFault[] {
  if (fields === null) return []
  const field = fields.get(flow.field)
  if (field === undefined || !field.isText || !field.isWritten)
    return [buildFault('flow.fault.field', { state: '' }, flow.field)]
  const { items } = field
  return items === null
    ? []
    : Object.keys(flow.states)
        .filter((key) => !items.includes(key))
        .map((key) => buildFault('flow.fault.noItem', { state: key }, flow.field))
}

/** The fields of an application by a student: theirs, those that they fill in, and no required one left out. */
function checkStudent(
  { student, field: stateField }: Flow,
  { fields }: FlowFacts,
): readonly FlowFault[] {
  if (student === undefined || fields === null) return []
  const { field, fill } = student
  const own = { state: '' }
  const canBeFilled = (name: string) =>
    fields.get(name)?.isWritten === true && name !== stateField && name !== field
  const isLeftOut = ([name, { isRequired, isWritten, hasDefault }]: readonly [string, FlowField]) =>
    isRequired &&
    isWritten &&
    !hasDefault &&
    name !== stateField &&
    name !== field &&
    !fill.includes(name)
  return [
    ...(fields.get(field)?.relation === studentTag
      ? []
      : [buildFault('flow.fault.student', own, field)]),
    ...fill
      .filter((name) => !canBeFilled(name))
      .map((name) => buildFault('flow.fault.studentFill', own, name)),
    ...[...fields]
      .filter(isLeftOut)
      .map(([name]) => buildFault('flow.fault.studentLacks', own, name)),
  ]
}

function checkEvent(
  { path, key, event, effects }: FlowParts['events'][number],
  flow: Flow,
  facts: FlowFacts,
): readonly FlowFault[] {
  const own = { state: path, event: key }
  const onEffects = effects.flatMap((effect) => checkEffect(effect, flow, facts, own))
  if (event === null) return onEffects
  const canBeAsked = (name: string) =>
    isKnownField(facts, name) && name !== flow.field && facts.fields?.get(name)?.isEdited !== false
  return [
    ...(event.ask ?? [])
      .filter(({ attrName }) => !canBeAsked(attrName))
      .map(({ attrName }) => buildFault('flow.fault.ask', own, attrName)),
    ...event.who
      .filter((part) => part !== 'others')
      .flatMap(listTerms)
      .flatMap((term) => checkTerm(term, facts, own)),
    ...(event.when === undefined ? [] : checkExpression(event.when, parseExpression, facts, own)),
    ...onEffects,
  ]
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
  if ('document' in effect)
    return Object.hasOwn(flow.documents ?? {}, effect.document)
      ? []
      : [buildFault('flow.fault.document', place, effect.document)]
  if ('notify' in effect) return checkNotice(effect.notify, facts, place)
  if ('copy' in effect) return effect.copy.who.flatMap((term) => checkTerm(term, facts, place))
  const sets = listSets(effect)
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

/** Paragraphs that can be computed, and a relation to the student. */
function checkDocument(
  { paragraphs, person }: FlowDocument,
  facts: FlowFacts,
): readonly FlowFault[] {
  const place = { state: '', event: '' }
  return [
    ...(person === undefined ? [] : checkTerm({ person }, facts, place)),
    ...paragraphs.flatMap((paragraph) => {
      const parts = splitParagraph(paragraph)
      return parts === null
        ? [buildFault('flow.fault.expression', place, paragraph)]
        : parts.flatMap((part) =>
            typeof part === 'string'
              ? []
              : checkExpression(part.source, parseFormula, facts, place),
          )
    }),
  ]
}

const flowRoots: ReadonlySet<string> = new Set(['row'])

function checkNotice(
  { who, template }: Extract<FlowEffect, { notify: unknown }>['notify'],
  facts: FlowFacts,
  place: { state: string; event: string },
): readonly FlowFault[] {
  return [
    ...(who === 'asked' ? [] : who.flatMap((term) => checkTerm(term, facts, place))),
    ...(facts.templates === null || facts.templates.has(template)
      ? []
      : [buildFault('flow.fault.template', place, template)]),
  ]
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
    findUnknownRoot(ast, flowRoots) ??
    findDeepRead(ast) ??
    names.find((name) => fields !== null && !fields.has(name) && name !== 'id')
  return wrong === undefined ? [] : [buildFault('flow.fault.reads', place, wrong)]
}
