import { migrationSeconds } from '../../platform/database/migrations/migrate.ts'
import { type SpreadReport, spreadTables } from '../../platform/database/cluster/spread.ts'
import { type Command, exit, print, withServices } from './command.ts'

/** Spreads the tables over the nodes of a cluster (docs/operations/cluster.md#spreading). */
export const clusterSpreadCommand: Command = {
  usage: '',
  help: 'spread the tables over the nodes of a Citus cluster; stop all servers first',
  run: () =>
    withServices(async ({ database }) => {
      const db = database.untyped
      printSpread(await database.long(() => spreadTables(db), migrationSeconds))
      return exit.done
    }),
}

export function printSpread({ distributed, reference, local, left }: SpreadReport): void {
  print(`${distributed.length} tables spread by school, ${reference.length} copied to each node.`)
  if (local.length > 0) print(`On the coordinator: ${local.join(', ')}.`)
  for (const { table, reason } of left) print(`${table} stays on the coordinator: ${reason}.`)
}
