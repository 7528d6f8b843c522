// Work that concerns every school goes school by school, so that a node that does not answer holds up
// only its own schools (docs/rules/database.md#the-school-in-every-key-and-statement).
import type { PlatformServices } from '../context.ts'
import { isUnavailable } from './problems.ts'

type Parts = Pick<PlatformServices, 'database' | 'log'>

/** The ids of all schools, disabled ones included, in the order of their ids. */
export async function schoolIds({ database: { kysely } }: Pick<PlatformServices, 'database'>) {
  const rows = await kysely.selectFrom('sys.tenant').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}

/**
 * Does the work for one school after another, and for the rows of none, which are under 0. A failure is
 * logged, and the next follows.
 */
export async function inEachSchool(
  services: Parts,
  what: string,
  work: (tenant: string) => Promise<void>,
): Promise<void> {
  for (const tenant of ['0', ...(await schoolIds(services))])
    await inOneSchool(services, what, tenant, work)
}

async function inOneSchool(
  { log }: Parts,
  what: string,
  tenant: string,
  work: (tenant: string) => Promise<void>,
): Promise<void> {
  try {
    await work(tenant)
  } catch (error) {
    log.warn({ err: error, tenant }, `${what} failed for one school; the others follow`)
  }
}

/**
 * The first answer of a school, or undefined. `order`: which schools to ask first. Schools that do
 * not answer are skipped, unless no other has an answer. @throws their error
 */
export async function firstInSchools<Answer>(
  services: Parts,
  find: (tenant: string) => Promise<Answer | undefined>,
  order: (schools: readonly string[]) => readonly string[] = (schools) => schools,
): Promise<Answer | undefined> {
  let failure: unknown
  for (const tenant of order(await schoolIds(services))) {
    try {
      const answer = await find(tenant)
      if (answer !== undefined) return answer
    } catch (error) {
      failure = error
    }
  }
  if (failure !== undefined) throw failure
  return undefined
}

/**
 * Finds the rows that are due in all schools: found by one statement over all of them, which costs
 * a query instead of one a school, and school by school when a node does not answer. `find` gets
 * null for all schools.
 */
export async function findDue<Row>(
  services: Parts,
  what: string,
  find: (tenant: string | null) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  try {
    return await find(null)
  } catch (error) {
    if (!isUnavailable(error)) throw error
  }
  const rows: Row[] = []
  await inEachSchool(services, what, async (tenant) => {
    rows.push(...(await find(tenant)))
  })
  return rows
}
