// Reads the planner's figures. Distributed engines put a node on top whose own figures are empty, and the
// plans of their tasks somewhere below it.
import { parseJson } from '@jiaowu/api/exact-json'
import { CompiledQuery, type Kysely } from 'kysely'

/** The plan that the database has for a statement, as it describes it. */
export async function explain(
  db: Pick<Kysely<unknown>, 'executeQuery'>,
  text: string,
  values: readonly unknown[],
): Promise<unknown> {
  const { rows } = await db.executeQuery<{ 'QUERY PLAN': unknown }>(
    CompiledQuery.raw(`explain (format json) ${text}`, [...values]),
  )
  const plan = rows[0]?.['QUERY PLAN']
  return typeof plan === 'string' ? (parseJson(plan) as unknown) : plan
}

/** The largest cost of any node. */
export function largestCost(plan: unknown): number {
  return Math.max(0, ...figuresIn(plan, 'Total Cost'))
}

/** The cost of the whole statement, which a limit makes smaller than that of its parts. */
export function wholeCost(plan: unknown): number {
  return figuresIn(plan, 'Total Cost')[0] ?? 0
}

/** How many rows the statement returns; null when the plan does not say. */
export function estimatedRows(plan: unknown): number | null {
  const tasks = collectNamed(plan, 'Remote Plan')
  const tops = tasks.length === 0 ? [plan] : tasks
  const rows = tops.flatMap((top) => figuresIn(top, 'Plan Rows').slice(0, 1))
  const sum = rows.reduce((total, each) => total + each, 0)
  return sum === 0
    ? null
    : Math.round(sum * (tasks.length === 0 ? 1 : taskShare(plan, tasks.length)))
}

/** Only one of the tasks is described, unless a setting of the engine asks for all. */
function taskShare(plan: unknown, described: number): number {
  const [count = described] = figuresIn(plan, 'Task Count')
  return Math.max(1, count / described)
}

/** The numbers under a name, in the order of the text: those of a node before those below it. */
function figuresIn(value: unknown, name: string): number[] {
  if (Array.isArray(value)) return value.flatMap((each) => figuresIn(each, name))
  if (typeof value !== 'object' || value === null) return []
  const own = (value as Readonly<Record<string, unknown>>)[name]
  return [
    ...(typeof own === 'number' ? [own] : []),
    ...Object.values(value).flatMap((each) => figuresIn(each, name)),
  ]
}

function collectNamed(value: unknown, name: string): unknown[] {
  if (Array.isArray(value)) return value.flatMap((each) => collectNamed(each, name))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) =>
    key === name ? [each] : collectNamed(each, name),
  )
}
