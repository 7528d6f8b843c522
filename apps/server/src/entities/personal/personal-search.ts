// Personal data is found by whole values (docs/rules/security.md#d4). Without the right to see it, each
// search is a guess: one value at a time, and so many an hour as values may be revealed.
import { isEmpty } from '@jiaowu/api/fields/kinds'
import { may } from '@jiaowu/api/entity/permission'
import type { Where } from '@jiaowu/api/entity/list/list-query'
import type { Context } from '../../model/context.ts'
import type { LoadedEntity } from '../../model/definition/loaded.ts'
import { buildFilterFault } from '../read/query.ts'
import { whereLeaves } from '../read/filter/where.ts'
import { listField } from '../read/filter/times.ts'
import { increment, readCounter } from '../../platform/limits/rate-limits.ts'
import { Invalid, Refusal } from '../../platform/refusal.ts'

const hour = 3_600_000

/** A value that a call looks for in personal data: the field, and one value of its operand. */
interface Guess {
  readonly path: string
  readonly attrName: string
  readonly value: string
}

/** Filters of a call; its contract has checked the forms. */
interface Searching {
  readonly queries?: Readonly<Record<string, unknown>> | null | undefined
  readonly where?: Where | null | undefined
}

/** Every value that filters compare with personal data. */
function personalGuesses(entity: LoadedEntity, { queries, where }: Searching): Guess[] {
  const compared = [
    ...Object.entries(queries ?? {}).map(([attrName, value]) => ({
      attrName,
      value,
      path: `queries.${attrName}`,
    })),
    ...whereLeaves(where ?? undefined).map(({ column, value }) => ({
      attrName: column,
      value,
      path: 'where',
    })),
  ]
  return compared
    .filter(({ attrName }) => (listField(entity, attrName)?.pii ?? null) !== null)
    .flatMap(({ attrName, value, path }) =>
      valuesIn(value).map((each) => ({ attrName, path, value: each })),
    )
}

/** The values of an operand: a list, or a text that lists them with commas. */
function valuesIn(operand: unknown): string[] {
  const listed = Array.isArray(operand) ? operand : String(operand ?? '').split(',')
  return listed.filter((each) => !isEmpty(each)).map((each) => String(each).trim())
}

/**
 * Counts a search in personal data by a caller who may not see it. The same value again, as on the
 * next page, costs nothing.
 * @throws Invalid for two values in one call; Refusal 429 beyond the hour's budget
 */
async function assertMayGuess(
  context: Context,
  entity: LoadedEntity,
  searching: Searching,
): Promise<void> {
  const { database, keys, now, settings, subject } = context
  if (subject.kind !== 'staff' || may(subject.permissions, 'pii:reveal')) return
  const [guess, second] = personalGuesses(entity, searching)
  if (guess === undefined) return
  if (second !== undefined)
    throw new Invalid([buildFilterFault(second.path, 'wholeValue', { key: 'pii.oneValue' })])
  const key = `guess:${subject.tenant}:${subject.userId}`
  // The table of counters is not encrypted: a digest without a key would tell the value by trial.
  const digest = keys.blind('sys.rate_limit.key', `${entity.tag}.${guess.attrName}=${guess.value}`)
  // A refused value stays unknown: the call may be made anew for the same request.
  const { count } = await readCounter(database, `${key}:${digest}`, hour, now())
  if (count > 0) return
  if ((await increment(database, key, hour, now())) <= settings.revealsPerHour) {
    await increment(database, `${key}:${digest}`, hour, now())
    return
  }
  await context.auditAlone({
    action: 'pii.search',
    object: entity.tag,
    result: 'denied',
    detail: { why: 'budget', field: guess.attrName },
  })
  throw new Refusal(
    429,
    { key: 'pii.searchBudget', params: { n: settings.revealsPerHour } },
    { retryAfter: hour / 1000 },
  )
}

/** Every call that filters rows of an entity passes here. @throws Refusal 429; Invalid */
export async function guardSearch(
  context: Context,
  { params, body }: { readonly params: Readonly<Record<string, string>>; readonly body: unknown },
): Promise<void> {
  const { tag } = params
  if (tag === undefined || typeof body !== 'object' || body === null) return
  if (!('queries' in body) && !('where' in body)) return
  const entity = await context.registry.find(context.subject.tenant, tag)
  if (entity !== undefined) await assertMayGuess(context, entity, body as Searching)
}
