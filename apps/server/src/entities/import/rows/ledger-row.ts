import { isHashed } from '../../../model/definition/account-password.ts'
import { cutText } from '@jiaowu/api/cut-text'
import { fillTitle } from '@jiaowu/api/entity/title'
import { isEmpty } from '@jiaowu/api/fields/kinds'
import { maskPii, maskValue } from '@jiaowu/api/pii'
import type { WireValue } from '@jiaowu/api/entity/values'
import { isAllowed } from '../../../access/access.ts'
import { parseTitlePattern } from '../../../model/definition/title-pattern.ts'
import { hashPassword } from '../../../identity/password.ts'
import { isTypedKey, type LoadedField } from '../../../model/definition/loaded.ts'
import { shownText } from '../../sheets/cells.ts'
import { serverKey } from '../../write/form-id.ts'
import type { Change } from '../../write/values/values.ts'
import type { LedgerRow, Payload } from '../../jobs/job.ts'
import { sealValue, payloadKey } from './payload.ts'
import type { Draft, Plan } from './draft.ts'
import { shownCell } from './personal.ts'

/** A checked row as the ledger stores it. */
export async function ledgerRow(plan: Plan, draft: Draft): Promise<LedgerRow> {
  const { raw, stored, errors, changes, key } = draft
  const verdict = judgeDraft(draft)
  const isNew = verdict === 'f'
  return {
    row_no: raw.row,
    verdict,
    errors: errors.length > 0 ? errors : null,
    row_id:
      stored?.row.id ??
      (isNew && !givesKey(plan, changes) ? serverKey(plan.entity, plan.context.newId) : null),
    version: stored === null ? null : String(stored.row.version),
    payload: isNew || verdict === 'c' ? await buildPayload(plan, changes, isNew) : null,
    before: verdict === 'c' ? textsBefore(plan, draft) : null,
    name: formatRowName(plan, draft) ?? keyText(plan, key),
    tidied: listTidiedCells(draft),
  }
}

/** Whether the cells of the row hold its key. */
function givesKey({ entity }: Plan, changes: readonly Change[]): boolean {
  return changes.some(({ field, value }) => isTypedKey(entity, field) && !isEmpty(value))
}

/** The cells of the row's changes that reading changed, as they stand in the file. */
function listTidiedCells({
  changes,
  decoded,
  errors,
}: Draft): NonNullable<LedgerRow['tidied']> | null {
  if (errors.length > 0) return null
  const cells = changes.flatMap(({ field }): (readonly [string, string])[] => {
    const { attrName } = field.definition
    const cell = decoded.get(attrName)
    return cell?.kind === 'value' && cell.typed !== undefined
      ? [[attrName, cutText(shownCell(field, cell.typed), 100)]]
      : []
  })
  return cells.length === 0 ? null : Object.fromEntries(cells)
}

function judgeDraft({ errors, stored, changes }: Draft): LedgerRow['verdict'] {
  if (errors.length > 0) return 'w'
  if (stored === null) return 'f'
  return changes.length === 0 ? 's' : 'c'
}

function keyText({ keyColumn }: Plan, key: string | null): string {
  const pii = keyColumn?.field.pii ?? null
  return key === null ? '' : pii === null ? key : maskPii(pii, key)
}

/** The displayed name of a row; null when the entity has no tag field, or the row no value in it. */
function formatRowName(plan: Plan, { changes, stored }: Draft): string | null {
  const textIn = (attrName: string) => {
    const named = plan.entity.field(attrName)
    if (named === undefined) return null
    const changed = changes.find(({ field }) => field === named)?.value
    // A part keeps its rights: of a stored row only what the importer may read.
    const mayRead = plan.update !== null && isAllowed(plan.update, named, 'detail')
    return formatMaskedValue(
      plan,
      named,
      changed ?? (mayRead ? stored?.labelled[attrName] : undefined),
    )
  }
  const { tagField } = plan.entity.definition
  const title = fillTitle(parseTitlePattern(plan.entity)?.parts ?? [], (name) => textIn(name) ?? '')
  return title === '' ? (tagField === null ? null : textIn(tagField)) : title
}

function textsBefore(plan: Plan, { changes, stored }: Draft): LedgerRow['before'] {
  if (stored === null) return null
  return Object.fromEntries(
    changes.flatMap(({ field }) => {
      const { attrName } = field.definition
      // Columns that only another definition of the table has are computed, and not shown here.
      if (plan.entity.field(attrName) !== field) return []
      return [
        [
          attrName,
          formatMaskedValue(plan, field, stored.labelled[attrName] ?? stored.row[attrName]),
        ],
      ]
    }),
  )
}

/** The text of a value for users, with personal data masked. Masking a mask changes nothing. */
function formatMaskedValue(
  plan: Plan,
  field: LoadedField,
  value: WireValue | undefined,
): string | null {
  const shown = field.pii === null || value === undefined ? value : maskValue(field.pii, value)
  const text = field.kind.secret ? null : shownText(field, shown, plan.context.locale)
  return text === null ? null : cutText(text, 500)
}

/** Passwords are hashed before they reach the ledger. */
async function buildPayload(
  { entity, context: { keys } }: Plan,
  changes: readonly Change[],
  isNew: boolean,
): Promise<Payload> {
  const payload: Record<string, Payload[string]> = {}
  for (const change of changes) {
    const { field, value } = change
    // Empty values of a new row are left to the column's default.
    if (isEmpty(value) && (isNew || field.kind.secret)) continue
    payload[payloadKey(entity, field)] = isHashed(entity, field)
      ? await hashPassword(String(value))
      : sealValue(change, keys)
  }
  return payload
}
