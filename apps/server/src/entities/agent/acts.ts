// Writes that agents propose, tried and carried out by the same calls as those of people.
import type { ProposalPreview, ProposedAct } from '@jiaowu/api/contract/agent'
import { listTimes } from '@jiaowu/api/entity/list/list-query'
import type { Row, WireValue } from '@jiaowu/api/entity/values'
import { createHash } from 'node:crypto'
import { accessTo, type EntityAccess } from '../../access/access.ts'
import type { Context } from '../../model/context.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { type AnyTransaction, duringTransactions } from '../../platform/database/transact.ts'
import { forbidden, Invalid, notFound } from '../../platform/refusal.ts'
import { previewEvent, sendEvent } from '../flow/decide.ts'
import { nameStateByKey } from '../flow/names.ts'
import { readFlow } from '../flow/read.ts'
import { unknownField } from '../read/query.ts'
import { detailFields, labelRow, selectRow } from '../read/row.ts'
import { rowTitle } from '../read/titles.ts'
import { removeRows } from '../write/removal/remove.ts'
import { updateMany } from '../write/update-many.ts'
import { createRow } from '../write/write.ts'
import { asPerson, mayDecide, mayOn } from './person.ts'

type Rows = ProposalPreview['rows']

/** The act with all that decides whether it is still what was shown. */
export interface Prepared {
  readonly act: ProposedAct
  readonly entity: EntityAccess['entity']
  /** By id, in the order of the act. */
  readonly versions: ReadonlyMap<string, string>
  readonly before: readonly Row[]
  readonly count: number
  readonly digest: string
}

/** @throws Refusal 403, 404 for rows that are not among the caller's */
export async function prepareAct(context: Context, act: ProposedAct): Promise<Prepared> {
  const entity = await context.registry.get(context.subject.tenant, act.tag)
  const before: Row[] = []
  const versions = new Map<string, string>()
  if (act.kind === 'flow') {
    if (!mayDecide(context, entity)) throw forbidden()
    const { version } = await readFlow(await asPerson(context), entity, act.id)
    versions.set(act.id, version)
  } else if (act.kind !== 'create') {
    if (!mayOn(context, act.tag, act.kind)) throw forbidden()
    const access = await accessTo(context, entity, 'view')
    const fields = detailFields(access)
    for (const id of new Set(act.ids)) {
      const row = await selectRow(databaseOf(context), access, fields, id)
      if (row === undefined) throw notFound()
      before.push(await labelRow(context, entity, fields, row))
      versions.set(id, String(row.version))
    }
  }
  const count = act.kind === 'create' ? 1 : versions.size
  const digest = hashText(JSON.stringify([act, [...versions], count]))
  return { act, entity, versions, before, count, digest }
}

function hashText(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

/** Carries the act out. @throws as the calls of people */
export async function carryOut(context: Context, prepared: Prepared): Promise<void> {
  const { act, entity, versions } = prepared
  if (act.kind === 'create') {
    assertNoId(act.values)
    await createRow(context, entity, act.values)
  } else if (act.kind === 'update') {
    assertNoId(act.values)
    await updateMany(context, entity, versions, act.values)
  } else if (act.kind === 'delete') {
    await removeRows(context, entity, [...versions.keys()].join(','), versions)
  } else {
    const { id, event, note, fields } = act
    await sendEvent(context, entity, id, event, { version: versions.get(id) ?? '', note, fields })
  }
}

/** The server gives ids, and knows the versions. @throws Invalid */
function assertNoId(values: Readonly<Record<string, unknown>>): void {
  const own = ['id', 'version'].filter((name) => Object.hasOwn(values, name))
  if (own.length > 0) throw new Invalid(own.map((name) => unknownField(name)))
}

/** Ends a transaction whose statements have all passed. */
class TriedError extends Error {}

/**
 * Finds the changes of the act by carrying it out in a transaction that is rolled back.
 * @throws as the act
 */
export async function previewAct(context: Context, prepared: Prepared): Promise<Rows> {
  const { act, entity } = prepared
  if (act.kind === 'flow') return [await previewDecision(context, prepared, act)]
  const after: Row[] = []
  const view = await accessTo(context, entity, 'view')
  const fields = detailFields(view)
  let ids = [...prepared.versions.keys()]
  const look = async (trx: AnyTransaction): Promise<void> => {
    if (act.kind === 'update')
      for (const id of ids) {
        const row = await selectRow(trx, view, fields, id)
        // The values would put the row where its person does not see it.
        if (row === undefined) throw forbidden()
        after.push(row)
      }
    throw new TriedError()
  }
  try {
    await duringTransactions(look, () => carryOut(context, prepared))
  } catch (error) {
    if (!(error instanceof TriedError)) throw error
  }
  if (act.kind === 'create') {
    ids = ['']
    after.push({ id: '', ...(act.values as Record<string, WireValue>) })
  }
  const rows: Rows = []
  for (const [n, id] of ids.entries()) {
    const old = prepared.before[n]
    const late = after[n]
    const now =
      act.kind === 'update' && late !== undefined
        ? await labelRow(context, entity, fields, late)
        : late
    rows.push({
      id,
      title: old === undefined ? '' : rowTitle(context, view, old),
      changes: fields.flatMap(({ definition: { attrName, uiLabel } }) => {
        if (listTimes.some((time) => time === attrName)) return []
        const [from, to] = [old?.[attrName] ?? null, now?.[attrName] ?? null]
        return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ label: uiLabel, from, to }]
      }),
    })
  }
  return rows
}

async function previewDecision(
  context: Context,
  { entity, versions }: Prepared,
  { id, event, note, fields }: ProposedAct & { kind: 'flow' },
): Promise<Rows[number]> {
  const person = await asPerson(context)
  const flow = await readFlow(person, entity, id)
  const body = { version: versions.get(id) ?? '', note, fields }
  const state = await previewEvent(person, entity, id, event, body)
  const access = await accessTo(context, entity, 'view')
  const shown = detailFields(access)
  const row = await selectRow(databaseOf(context), access, shown, id)
  const offer = flow.can.find((each) => each.event === event)
  return {
    id,
    title: row === undefined ? '' : rowTitle(context, access, row),
    changes: [
      {
        label: offer?.name ?? event,
        from: flow.name,
        to: nameStateByKey(context, entity, state) ?? null,
      },
      ...(note == null || note === '' ? [] : [{ label: 'note', from: null, to: note }]),
      ...shown.flatMap(({ definition: { attrName, uiLabel } }) =>
        Object.hasOwn(fields, attrName)
          ? [{ label: uiLabel, from: null, to: fields[attrName] as WireValue }]
          : [],
      ),
    ],
  }
}
