import { missingIndexes } from '../../entities/indexes/missing-indexes.ts'
import { type SlowList, slowLists } from '../../entities/indexes/slow-lists.ts'
import { Refusal } from '../../platform/refusal.ts'
import { schoolIds } from '../../platform/database/schools.ts'
import { type Command, exit, print, withServices } from './command.ts'

/** Lists the searches and orders of slow lists that no index serves. */
export const doctorCommand: Command = {
  usage: '[--trial]',
  help: 'list slow lists that no index serves, with the statement; --trial measures it and locks writes for up to 20 s',
  options: { trial: { type: 'boolean' } },
  run: ({ options: { trial } }) =>
    withServices(async (services) => {
      const proposed = new Set<string>()
      let lists = 0
      for (const tenant of await schoolIds(services))
        for (const slow of await slowLists(services, tenant)) {
          lists += 1
          const missing = await missingIndexes(services, slow, trial === true).catch(
            (error: unknown) => {
              if (!(error instanceof Refusal)) throw error
              print(`${formatSlowList(slow)}\n  its definition has changed since`)
              return []
            },
          )
          const fresh = missing.filter(({ index }) => !proposed.has(index.statement))
          if (fresh.length === 0) continue
          print(formatSlowList(slow))
          for (const { column, use, index, trial: tried } of fresh) {
            proposed.add(index.statement)
            const gain =
              tried === null
                ? ''
                : `; cost of a page by the planner ${tried.before.toFixed(0)} -> ${tried.after.toFixed(0)}`
            print(`  no index serves ${column} (${use})${gain}`)
            print(
              `    ${services.database.engine === 'postgres' ? index.concurrently : index.statement}`,
            )
          }
        }
      print(`${lists} slow lists, ${proposed.size} missing indexes.`)
      return proposed.size === 0 ? exit.done : exit.findings
    }),
}

function formatSlowList({ tenant, tag, uses, calls, worstMs }: SlowList): string {
  const by = uses.map(([name, use]) => `${name} (${use})`).join(', ')
  return `${tenant} ${tag}: ${calls} times, up to ${worstMs} ms, by ${by}`
}
