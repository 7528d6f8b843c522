// Titles that several rows of a table share: a number beside them tells the rows apart.
import type { FieldDraft } from '@jiaowu/api/entity/definition/definition'
import { findKind } from '@jiaowu/api/fields/kinds'
import { sql } from 'kysely'
import type { Context } from '../../model/context.ts'
import { identifier, tableName } from '../../model/definition/names.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import type { DraftedTable } from './draft-table.ts'
import { ofSchool } from './inspect.ts'
import { isNumberName } from './title.ts'

/** Rows that are looked at. */
const sampled = 10_000
const tablesPerStatement = 50

interface Candidate {
  readonly draft: DraftedTable
  readonly title: FieldDraft
  readonly number: FieldDraft
}

/**
 * Proposes `{name} {number}` for the drafts whose title field repeats in the stored rows, with the number
 * as the second line of choices. Columns and imports keep to the name.
 */
export async function tellNamesakesApart(
  context: Context,
  drafts: readonly DraftedTable[],
): Promise<void> {
  const candidates = drafts.flatMap((draft) => findCandidate(draft) ?? [])
  for (let i = 0; i < candidates.length; i += tablesPerStatement) {
    const part = candidates.slice(i, i + tablesPerStatement)
    for (const at of await repeating(context, part)) {
      const found = part[at]
      if (found === undefined) continue
      const { draft, title, number } = found
      draft.definition = {
        ...draft.definition,
        options: {
          ...draft.definition.options,
          titlePattern: `{${title.attrName}} {${number.attrName}}`,
          titleInColumns: false,
          subtitlePattern: `{${number.attrName}}`,
        },
      }
    }
  }
}

function findCandidate(draft: DraftedTable): Candidate | null {
  const { key } = draft
  const { catalog } = draft.table
  const { tagField, options, fields } = draft.definition
  const title = fields.find(({ attrName }) => attrName === tagField)
  const isUnique = ({ columnName }: FieldDraft) =>
    [...catalog.uniques.values()].some(
      ([only, ...more]) => more.length === 0 && only === columnName,
    )
  if (
    title === undefined ||
    options?.titlePattern !== undefined ||
    (catalog.kind ?? 'table') !== 'table' ||
    findKind(title.uiType ?? 'input').family !== 'text' ||
    isUnique(title)
  )
    return null
  const isKey = ({ columnName }: FieldDraft) => key.length === 1 && key[0] === columnName
  const numbers = fields.filter(
    (field) =>
      field !== title &&
      field.isDetail === 1 &&
      isShort(field) &&
      (isUnique(field) || isKey(field)),
  )
  const number =
    numbers.find((field) => !isKey(field) && isNumberName(field.columnName ?? '')) ??
    numbers.find((field) => !isKey(field)) ??
    numbers[0]
  return number === undefined ? null : { draft, title, number }
}

/** A plain number or one line of text. */
function isShort({ uiType = 'input', pii }: FieldDraft): boolean {
  const { family, secret, singleLine } = findKind(uiType)
  return !secret && pii === undefined && (family === 'number' || (family === 'text' && singleLine))
}

/** The places of those whose title is that of several rows. */
async function repeating(
  context: Context,
  candidates: readonly Candidate[],
): Promise<readonly number[]> {
  const { rows } = await sql<{ at: number }>`
    ${sql.join(
      candidates.map(({ draft: { table }, title }, at) => {
        const column = identifier(title.columnName ?? '')
        return sql`select ${at}::int4 as at where exists (
          select 1 from (
            select ${column}::text as name from ${tableName(table.schema, table.name)}
            ${ofSchool(table.catalog, context.subject.tenant)} limit ${sampled}
          ) as found
          where name <> '' group by name having count(*) > 1)`
      }),
      sql` union all `,
    )}`.execute(databaseOf(context))
  return rows.map(({ at }) => at)
}
