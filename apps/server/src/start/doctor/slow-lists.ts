import { missingIndexes } from '../../entities/indexes/missing-indexes.ts'
import { type SlowList, slowLists } from '../../entities/indexes/slow-lists.ts'
import type { Services } from '../../model/context.ts'
import { createRegistry } from '../../model/definition/registry/registry.ts'
import { lateAuditKeys } from '../../platform/audit/keys.ts'
import { snowflake } from '../../platform/id.ts'
import { schoolIds } from '../../platform/database/schools.ts'
import { lateKeys } from '../../platform/keys/keys.ts'
import { createMemory } from '../../platform/memory.ts'
import { Refusal } from '../../platform/refusal.ts'
import { type Check, type Complaint, type Open, warn } from './finding.ts'

/** Searches and orders of slow lists that no index serves. @param isTrial measures each index, which locks writes */
export function createListCheck(isTrial: boolean): Check {
  return { name: 'lists', look: (patient) => lookAtLists(patient, isTrial) }
}

async function lookAtLists(patient: Open, isTrial: boolean): Promise<Complaint[]> {
  const { database, settings, log, now } = patient
  const keys = lateKeys()
  const services: Services = {
    database,
    settings,
    log,
    now,
    keys,
    auditKeys: lateAuditKeys(),
    newId: snowflake(0),
    memory: createMemory(now),
    registry: createRegistry(database, log, { keys, schemas: settings.businessSchemas }),
  }
  const proposed = new Set<string>()
  const found: Complaint[] = []
  for (const tenant of await schoolIds(services))
    for (const slow of await slowLists(services, tenant)) {
      const missing = await missingIndexes(services, slow, isTrial).catch((error: unknown) => {
        // Its definition has changed since.
        if (error instanceof Refusal) return []
        throw error
      })
      for (const { column, use, index, trial } of missing) {
        if (proposed.has(index.statement)) continue
        proposed.add(index.statement)
        const gain =
          trial === null
            ? ''
            : `; cost of a page by the planner ${trial.before.toFixed(0)} -> ${trial.after.toFixed(0)}`
        found.push(
          warn(
            `${formatSlowList(slow)}: no index serves ${column} (${use})${gain}`,
            database.engine === 'postgres' ? index.concurrently : index.statement,
          ),
        )
      }
    }
  return found
}

function formatSlowList({ tenant, tag, uses, calls, worstMs }: SlowList): string {
  const by = uses.map(([name, use]) => `${name} (${use})`).join(', ')
  return `${tenant} ${tag}: ${calls} times, up to ${worstMs} ms, by ${by}`
}
