// Checks each row of a chunk against the values to set, by the rules of the entity's form: changed
// with the changed cells, unchanged, or refused with the reasons.
import { cutText } from '@jiaowu/api/cut-text'
import type { Message } from '@jiaowu/api/texts/index'
import type { Row, WireValue } from '@jiaowu/api/entity/values'
import type { EntityAccess } from '../../access/access.ts'
import type { Context } from '../../model/context.ts'
import { type ChoiceSource, choiceFaults, loadChoiceSources, valueIn } from '../choices/check.ts'
import { labelRows } from '../read/labels.ts'
import {
  type LoadedEntity,
  type LoadedField,
  readableFields,
  valueFields,
} from '../../model/definition/loaded.ts'
import { rowTitle, titleFields } from '../read/titles.ts'
import { grantsOn, type RawRow, rowReader } from '../read/rows.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import type { Change } from '../write/values/values.ts'
import { type Derive, createDerivation, withFollowed } from '../write/values/derive.ts'
import { passwordLengthFor } from '../write/accounts.ts'
import { checkUpdate } from '../write/write.ts'
import type { Fault } from '../../platform/refusal.ts'
import { shownText } from '../sheets/cells.ts'
import { dryRunRows } from '../import/check-phase.ts'
import type { LedgerRow, RowFault } from '../jobs/job.ts'
import { sealValue, payloadKey } from '../import/rows/payload.ts'
import { labelIn } from '../import/rows/plan.ts'
import { createUniques, findTaken } from '../import/rows/unique.ts'
import type { Uniques } from '../import/rows/draft.ts'
import { createWriter, type LedgerWriter } from '../import/rows/write/ledger-writer.ts'
import type { BulkRights } from './choose.ts'

/** A selected row: its number, and whether the user may change it. */
interface Found {
  readonly no: number
  readonly raw: RawRow
  readonly may: boolean
}
/** Checks the rows of a chunk, in their order. */
export type CheckRows = (found: readonly Found[]) => Promise<LedgerRow[]>

export function buildRowFault(
  column: string,
  attrName: string | null,
  rule: string,
  message: Message,
): RowFault {
  return { column, attrName, value: '', rule, message, suggestions: [] }
}

type ValueOf = (attrName: string) => WireValue | undefined

interface Draft {
  readonly raw: { readonly row: number }
  readonly stored: { readonly row: Row } | null
  changes: readonly Change[]
  readonly faults: RowFault[]
}

interface Judging {
  readonly context: Context
  readonly act: BulkRights['act']
  readonly set: Readonly<Record<string, WireValue>>
  readonly uniques: Uniques
  readonly writer: LedgerWriter
  readonly faultsOf: ReturnType<typeof rememberedFaults>
  readonly passwordLength: number
}

/** Create one per run; it caches choices and unique values. */
export async function updateCheck(
  context: Context,
  { act }: BulkRights,
  set: Readonly<Record<string, WireValue>>,
): Promise<CheckRows> {
  const { entity } = act
  const fields = readableFields(entity)
  const shown = [
    ...new Set([
      ...titleFields(entity),
      ...valueFields(entity).filter(
        ({ definition, kind }) =>
          kind.family === 'choice' && Object.hasOwn(set, definition.attrName),
      ),
    ]),
  ]
  const judging: Judging = {
    context,
    act,
    set,
    uniques: createUniques(entity),
    writer: await createWriter(context, entity, null, act),
    faultsOf: rememberedFaults(context, await loadChoiceSources(context, valueFields(entity))),
    passwordLength: await passwordLengthFor(context, entity),
  }
  const label = labelIn(context, entity)
  const derive = await createDerivation(context, entity)
  const read = rowReader(act, fields, 'any', 'stored')
  const readShown = rowReader(act, fields, 'any')
  return async (found) => {
    const rows = found.map(({ raw }) => read(raw))
    const drafts: Draft[] = []
    for (const [i, each] of found.entries()) {
      const row = rows[i]
      if (row !== undefined) drafts.push(await draftUpdate(judging, each, row))
    }
    await addDerived(context, entity, derive, drafts)
    for (const { draft, attrName, firstRow } of await findTaken(
      { entity, uniques: judging.uniques, context },
      drafts.filter(({ faults }) => faults.length === 0),
    )) {
      draft.faults.push(
        buildRowFault(label(attrName), attrName, firstRow === null ? 'unique' : 'duplicate', {
          key: firstRow === null ? 'rule.unique' : 'bulk.rule.duplicate',
        }),
      )
    }
    const labelled = await labelRows(
      context,
      shown,
      found.map(({ raw }) => readShown(raw)),
    )
    return await dryRunRows(
      judging.writer,
      drafts.map((draft, i) => ledgerRow(context, act, draft, labelled[i] ?? { id: '' })),
      label,
    )
  }
}

/** Adds the derived values of the rows that are right so far. */
async function addDerived(
  context: Context,
  entity: LoadedEntity,
  derive: Derive,
  drafts: readonly Draft[],
): Promise<void> {
  const label = labelIn(context, entity)
  const right = drafts.filter(({ faults }) => faults.length === 0)
  const derived = await derive(
    databaseOf(context),
    right.map(({ stored, changes }) => ({ id: stored?.row.id ?? null, changes })),
  )
  for (const [i, draft] of right.entries()) {
    const { changes = [], faults = [] } = derived[i] ?? {}
    draft.changes = withFollowed(draft.changes, changes)
    draft.faults.push(
      ...faults.map(({ path, rule, message }) => buildRowFault(label(path), path, rule, message)),
    )
  }
}

/** Caches choices by cascade parents, so that each is queried once and not for every row. */
function rememberedFaults(context: Context, choices: readonly ChoiceSource[]) {
  const known = new Map<string, readonly Fault[]>()
  const concerned = [
    ...new Set(
      choices.flatMap(({ field: { definition } }) => [
        definition.attrName,
        ...(definition.options.cascades ?? []).map(({ attrName }) => attrName),
      ]),
    ),
  ]
  return async (changes: readonly Change[], valueOf: ValueOf): Promise<readonly Fault[]> => {
    const changed = changes.map(({ field }) => field.definition.attrName)
    const key = JSON.stringify([changed, concerned.map((attrName) => valueOf(attrName) ?? null)])
    const faults =
      known.get(key) ?? (await choiceFaults(databaseOf(context), choices, changes, valueOf))
    known.set(key, faults)
    return faults
  }
}

async function draftUpdate(
  { context, act, set, faultsOf, passwordLength }: Judging,
  { no, raw, may }: Found,
  row: Row,
): Promise<Draft> {
  const label = labelIn(context, act.entity)
  const draft = { raw: { row: no }, stored: { row } }
  if (!may)
    return {
      ...draft,
      changes: [],
      faults: [buildRowFault('', null, 'noRight', { key: 'bulk.rule.noRight' })],
    }
  const { changes, faults: wrong } = checkUpdate(
    { ...act, grants: grantsOn(act, raw) },
    row,
    set,
    passwordLength,
  )
  const faults = wrong.length > 0 ? wrong : await faultsOf(changes, valueIn(changes, row))
  return {
    ...draft,
    changes,
    faults: faults.map(({ path, rule, message }) =>
      buildRowFault(label(path), path, rule, message),
    ),
  }
}

function ledgerRow(
  context: Context,
  act: EntityAccess,
  { raw, stored, changes, faults }: Draft,
  labelled: Row,
): LedgerRow {
  const verdict = faults.length > 0 ? 'w' : changes.length === 0 ? 's' : 'c'
  return {
    row_no: raw.row,
    verdict,
    row_id: stored?.row.id ?? null,
    version: stored === null ? null : String(stored.row.version),
    name: rowTitle(context, act, labelled),
    errors: faults.length > 0 ? faults : null,
    payload:
      verdict === 'c'
        ? Object.fromEntries(
            changes.map((change) => [
              payloadKey(act.entity, change.field),
              sealValue(change, context.keys),
            ]),
          )
        : null,
    before:
      verdict === 'c'
        ? Object.fromEntries(
            changes.flatMap(({ field }) => {
              const { attrName } = field.definition
              return act.entity.field(attrName) === field
                ? [[attrName, formatValue(context, field, labelled[attrName])]]
                : []
            }),
          )
        : null,
  }
}

function formatValue(
  context: Context,
  field: LoadedField,
  value: WireValue | undefined,
): string | null {
  const text = shownText(field, value, context.locale)
  return text === null ? null : cutText(text, 500)
}
