// The row that a flow judges with the related values that it reads, and the people that its terms mean for the row.
import { type FlowTerm, studentTag } from '@jiaowu/api/entity/definition/flow'
import type { DictItem, Row, WireValue } from '@jiaowu/api/entity/values'
import type { CompiledFlow, FlowCase } from '@jiaowu/machines/flow/flow'
import { applicantKey, buildTermKey, type FlowPerson } from '@jiaowu/machines/flow/people'
import { listParagraphSources } from '@jiaowu/machines/flow/paragraph'
import { listEffects, listSets } from '@jiaowu/machines/flow/parts'
import { listRelationReads, parseFormula } from '@jiaowu/validation'
import { sql } from 'kysely'
import { tenantRows, wholeAccess } from '../../access/access.ts'
import type { Context } from '../../model/context.ts'
import { tableKey } from '../../model/definition/column-key.ts'
import { fromTable } from '../../model/definition/from-table.ts'
import type { LoadedEntity, LoadedField } from '../../model/definition/loaded.ts'
import { allOf, columnRef } from '../../model/definition/names.ts'
import { relationTag } from '../../model/definition/relation.ts'
import { hasId, idText, type Keyed } from '../../model/definition/row-key.ts'
import type { AnyDatabase } from '../../platform/database/any-database.ts'
import type { Subject } from '../../platform/context.ts'
import { type RawRow, rowReader, selectList } from '../read/rows.ts'

/** Holders of a role (in a part of the organisation), an account, or the account of a person's record. */
export interface FlowAddressee {
  readonly role: string | null
  readonly orgId: string | null
  readonly userId: string | null
  readonly personTag: string | null
  readonly personId: string | null
}

interface ReadRelation {
  readonly target: LoadedEntity
  /** The key of the target that the field stores. */
  readonly keyed: Keyed
  readonly fields: readonly LoadedField[]
}
/** Reads of rows by a flow. */
export interface FlowReads {
  /** By attrName. */
  readonly relations: ReadonlyMap<string, ReadRelation>
  /** Personal data decides nothing and is copied nowhere, also where it was marked after the save. */
  readonly hidden: ReadonlySet<string>
}

export interface FlowRow {
  /** The row as expressions read it: relations carry the values of their rows. */
  readonly scope: Readonly<Record<string, unknown>>
  /** By the key of the term. Without those of the applicant. */
  readonly people: ReadonlyMap<string, readonly FlowAddressee[]>
  /** The ids of the rows that relations lead to, by attrName. */
  readonly related: ReadonlyMap<string, readonly string[]>
}

export function listFlowReads(
  { registry, subject }: Pick<Context, 'registry' | 'subject'>,
  entity: LoadedEntity,
  flow: CompiledFlow,
): FlowReads {
  const properties = new Map<string, Set<string>>()
  const read = (attrName: string, property?: string) => {
    const known = properties.get(attrName) ?? new Set<string>()
    if (property !== undefined) known.add(property)
    properties.set(attrName, known)
  }
  for (const source of listSources(flow))
    for (const { attrName, property } of listRelationReads(parseFormula(source)))
      read(attrName, property)
  for (const term of listTerms(flow)) {
    const name = findReadOfTerm(term)
    if (name !== null) read(name)
  }
  for (const relation of listUpdated(flow)) read(relation)
  const found = new Map<string, ReadRelation>()
  for (const [attrName, names] of properties) {
    const field = entity.field(attrName)
    const tag = field === undefined ? null : relationTag(field.definition)
    const target = tag === null ? undefined : registry.known(subject.tenant, tag)
    if (field === undefined || target === undefined) continue
    const { valueAttr } = field.definition.options
    const value = valueAttr === undefined ? null : target.column(valueAttr)
    // Without its column nothing can be found.
    if (value === undefined) continue
    const fields = [...names].flatMap((name) => target.field(name) ?? [])
    found.set(attrName, {
      target,
      keyed: value === null ? target : { key: [value], digest: null },
      // Neither secrets nor personal data decide.
      fields: fields.filter(({ kind, pii }) => !kind.secret && pii === null),
    })
  }
  return {
    relations: found,
    hidden: new Set(
      entity.fields.filter(({ pii }) => pii !== null).map(({ definition }) => definition.attrName),
    ),
  }
}

function listSources({ parts }: CompiledFlow): readonly string[] {
  return [
    ...parts.events.flatMap(({ event }) => event?.when ?? []),
    ...listEffects(parts).flatMap((effect) => Object.values(listSets(effect))),
    ...listParagraphSources(parts.flow.documents),
  ]
}

/** Relations whose rows effects write, or documents are about. */
function listUpdated({ parts }: CompiledFlow): readonly string[] {
  return [
    ...listEffects(parts).flatMap((effect) => ('update' in effect ? [effect.update.relation] : [])),
    ...Object.values(parts.flow.documents ?? {}).flatMap(({ person }) =>
      person === undefined ? [] : [person.slice('row.'.length)],
    ),
  ]
}

/** The terms of deciders, and of people who get notices. */
function listTerms({ parts }: CompiledFlow): readonly FlowTerm[] {
  return [
    ...parts.events.flatMap(({ people }) => people?.terms ?? []),
    ...listEffects(parts).flatMap((effect) =>
      'copy' in effect
        ? effect.copy.who
        : 'notify' in effect && effect.notify.who !== 'asked'
          ? effect.notify.who
          : [],
    ),
  ]
}

function findReadOfTerm(term: FlowTerm): string | null {
  const read = 'person' in term ? term.person : 'role' in term ? term.within : undefined
  return read === undefined ? null : read.slice('row.'.length)
}

/** A row of a relation: its own id, and the part of the organisation that it belongs to. */
interface RelatedRow {
  readonly key: string
  readonly id: string
  readonly orgId: string | null
  readonly values: Readonly<Record<string, WireValue | undefined>>
}

/** Reads all that the flow needs besides the row. `row` as it is stored, not masked. */
export async function loadFlowRow(
  db: AnyDatabase,
  tenant: string,
  flow: CompiledFlow,
  reads: FlowReads,
  row: Row,
): Promise<FlowRow> {
  const [found] = await loadFlowRows(db, tenant, flow, reads, [row])
  if (found === undefined) throw new Error('a row has its people')
  return found
}

/** The rows in their order, by one statement for each relation. */
export async function loadFlowRows(
  db: AnyDatabase,
  tenant: string,
  flow: CompiledFlow,
  reads: FlowReads,
  rows: readonly Row[],
): Promise<readonly FlowRow[]> {
  const related = new Map<string, readonly RelatedRow[]>()
  for (const [attrName, read] of reads.relations) {
    const ids = new Set(rows.flatMap((row) => listRelatedIds(row[attrName])))
    related.set(attrName, await loadRelated(db, tenant, read, [...ids]))
  }
  return rows.map((row) => buildFlowRow(flow, reads, row, selectRelated(related, row)))
}

/** The related rows that this row refers to, by attrName. */
function selectRelated(
  related: ReadonlyMap<string, readonly RelatedRow[]>,
  row: Row,
): ReadonlyMap<string, readonly RelatedRow[]> {
  return new Map(
    [...related].map(([attrName, all]) => {
      const ids = new Set(listRelatedIds(row[attrName]))
      return [attrName, all.filter(({ key }) => ids.has(key))]
    }),
  )
}

function listRelatedIds(value: WireValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(({ id }: DictItem) => id) : []
}

function buildFlowRow(
  flow: CompiledFlow,
  reads: FlowReads,
  row: Row,
  related: ReadonlyMap<string, readonly RelatedRow[]>,
): FlowRow {
  const scope: Record<string, unknown> = Object.fromEntries(
    Object.entries(row).filter(([name]) => !reads.hidden.has(name)),
  )
  for (const [attrName, rows] of related)
    scope[attrName] = rows.map(({ key, values }) => ({ id: key, name: '', values }))
  const people = new Map<string, readonly FlowAddressee[]>()
  for (const term of listTerms(flow)) {
    const key = buildTermKey(term)
    if (key === applicantKey || people.has(key)) continue
    const name = findReadOfTerm(term)
    const target = name === null ? undefined : reads.relations.get(name)?.target
    people.set(key, listAddressees(term, target, name === null ? [] : (related.get(name) ?? [])))
  }
  return {
    scope,
    people,
    related: new Map([...related].map(([name, rows]) => [name, rows.map(({ id }) => id)])),
  }
}

function listAddressees(
  term: FlowTerm,
  target: LoadedEntity | undefined,
  rows: readonly RelatedRow[],
): readonly FlowAddressee[] {
  const unaddressed = { role: null, orgId: null, userId: null, personTag: null, personId: null }
  if ('role' in term)
    return term.within === undefined
      ? [{ ...unaddressed, role: term.role }]
      : rows.flatMap(({ orgId }) =>
          orgId === null ? [] : [{ ...unaddressed, role: term.role, orgId }],
        )
  if (!('person' in term) || target === undefined) return []
  return rows.map(({ id }) =>
    tableKey(target) === 'sys.app_user'
      ? { ...unaddressed, userId: id }
      : { ...unaddressed, personTag: target.tag, personId: id },
  )
}

async function loadRelated(
  db: AnyDatabase,
  tenant: string,
  { target, keyed, fields }: ReadRelation,
  ids: readonly string[],
): Promise<readonly RelatedRow[]> {
  if (ids.length === 0) return []
  const access = wholeAccess(target, tenant)
  const org =
    tableKey(target) === 'sys.org'
      ? idText(target)
      : target.has('org_id')
        ? sql`${columnRef('org_id')}::text`
        : sql`null::text`
  const columns = fields.length === 0 ? sql`` : sql`, ${selectList(access, fields)}`
  const { rows } = await sql<RawRow & { key: string; own: string; org: string | null }>`
    select ${idText(keyed)} as key, ${idText(target)} as own, ${org} as org${columns}
    from ${fromTable(target)}
    where ${allOf([tenantRows(target, tenant), hasId(keyed, ids)])}`.execute(db)
  const read = rowReader(access, fields, 'any', 'stored')
  return rows.map((raw) => {
    const values = fields.length === 0 ? { id: '' } : read(raw)
    return {
      key: raw.key,
      id: raw.own,
      orgId: raw.org,
      values: Object.fromEntries(
        fields.map(({ definition: { attrName }, kind }) => [
          attrName,
          values[attrName] ?? kind.empty,
        ]),
      ),
    }
  })
}

/** Staff whose account belongs to the student who applied are the applicant: nobody decides on himself. */
export function identifyPerson(
  { userId, person }: Pick<Subject, 'userId' | 'person'>,
  applicant: string | null,
): string {
  return person !== null && person.tag === studentTag && person.id === applicant
    ? person.id
    : userId
}

/** A person by what terms of a flow ask for. */
type FlowSubject = Pick<Subject, 'userId' | 'roles' | 'org' | 'person'>

/** The caller as the flow sees them for the row. */
export function toFlowPerson(
  subject: FlowSubject,
  { people }: Pick<FlowRow, 'people'>,
  { context: { applicant } }: Pick<FlowCase, 'context'>,
): FlowPerson {
  return {
    id: identifyPerson(subject, applicant),
    terms: [...people]
      .filter(([, addressees]) => addressees.some((each) => isAddressed(subject, each)))
      .map(([key]) => key),
  }
}

function isAddressed(
  { userId, roles, org, person }: FlowSubject,
  addressee: FlowAddressee,
): boolean {
  if (addressee.role !== null)
    return (
      roles.includes(addressee.role) && (addressee.orgId === null || addressee.orgId === org?.id)
    )
  if (addressee.userId !== null) return addressee.userId === userId
  return (
    addressee.personId !== null &&
    person?.tag === addressee.personTag &&
    person.id === addressee.personId
  )
}
