// Values that all rows of a file have: those that were chosen, else those that its title rows, its sheet
// and its name tell for required fields without a column (软件工程专业 2026 级学生名册).
import { cutText } from '@jiaowu/api/cut-text'
import type { FixedValue, RememberedImport, SheetColumnInfo } from '@jiaowu/api/contract/job'
import type { WireValue } from '@jiaowu/api/entity/values'
import { t } from '@jiaowu/api/texts/index'
import type { Context } from '../../../model/context.ts'
import type { LoadedField } from '../../../model/definition/loaded.ts'
import type { ImportRecord } from '../../jobs/job.ts'
import { cellText, type RawHead } from '../../sheets/read/model.ts'
import { missingFields, type Rights } from '../columns.ts'
import { labelIn } from '../rows/plan.ts'
import { createResolver, type Resolver } from '../rows/resolve.ts'
import type { SheetsChosen } from './choose-sheets.ts'

interface Asked {
  readonly context: Context
  readonly job: ImportRecord
  readonly rights: Rights
  readonly defaults: ReadonlyMap<string, WireValue>
  readonly remembered: RememberedImport | null
}

/** Characters of a title that is quoted. */
const quoted = 60

export async function findFixed(
  { context, job, rights, defaults, remembered }: Asked,
  head: RawHead,
  chosen: SheetsChosen,
): Promise<readonly FixedValue[]> {
  const label = labelIn(context, rights.view.entity)
  const { fixed = null, mode } = job.options
  if (fixed !== null)
    return Object.entries(fixed)
      .filter(([attrName, value]) => value !== null && !isMapped(chosen.columns, attrName))
      .map(([attrName, value]) => ({ attrName, label: label(attrName), value, from: null }))
  if (mode === 'update') return []
  const missing = missingFields(rights, chosen.columns, defaults)
  if (missing.length === 0) return []
  const resolver = await createResolver(context, missing)
  const titles = listTitles(job, head, chosen)
  const found: FixedValue[] = []
  for (const field of missing) {
    const { attrName } = field.definition
    const told = await findInTitles(resolver, field, titles)
    const last = remembered?.fixed?.[attrName]
    if (told !== null) found.push({ attrName, label: label(attrName), ...told })
    else if (last !== undefined && last !== null)
      found.push({
        attrName,
        label: label(attrName),
        value: last,
        from: t(context.locale, 'transfer.fixed.last'),
      })
  }
  return found
}

const isMapped = (columns: readonly SheetColumnInfo[], attrName: string) =>
  columns.some((column) => column.attrName === attrName)

/** The texts above the heading, the name of the sheet and that of the file. */
function listTitles(
  { file }: ImportRecord,
  head: RawHead,
  { sheets: [first] }: SheetsChosen,
): readonly string[] {
  if (first === undefined) return []
  const above = (head.sheets[first.index]?.rows ?? []).filter(({ row }) => row < first.headerRow)
  return [
    ...above.flatMap(({ cells }) => cells.map((cell) => cellText(cell).trim())),
    first.name,
    file.name.replace(/\.[^.]*$/, ''),
  ].filter((text) => text !== '')
}

async function findInTitles(
  resolver: Resolver,
  field: LoadedField,
  titles: readonly string[],
): Promise<Pick<FixedValue, 'value' | 'from'> | null> {
  const words = new Set(
    titles.flatMap((title) => [title, ...title.split(/[\s:：,，、;；()（）]+/)]),
  )
  if (field.kind.family === 'choice')
    await resolver.prepare(field.definition.attrName, words, new Set())
  for (const title of titles) {
    const value = findValue(resolver, field, title)
    if (value !== null) return { value, from: cutText(title, quoted) }
  }
  return null
}

function findValue(resolver: Resolver, field: LoadedField, title: string): WireValue {
  if (field.kind.family === 'choice') {
    const item = resolver.findWithin(field, title)
    return item === null ? null : [item]
  }
  // 2026级: the year in which students began.
  const year = /(?:^|\D)((?:19|20)\d\d)\s*级/.exec(title)?.[1]
  return field.kind.temporal?.unit === 'year' && year !== undefined ? year : null
}
