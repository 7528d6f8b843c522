// `npm run test:starts [-- --rounds N] [--servers N]`: servers that start together on an empty
// PostgreSQL database and an empty shared folder. Prints a line a round that failed, and the count.
import { parseArgs } from 'node:util'
import { startCluster } from '../../apps/server/testing/postgres/postgres-cluster.ts'
import { startTogether } from '../support/first-starts.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    servers: { type: 'string', default: '4' },
  },
})
const [rounds, servers] = [Number(values.rounds), Number(values.servers)]
const cluster = await startCluster()
let failed = 0
try {
  for (let round = 1; round <= rounds; round += 1) {
    const { faults } = await startTogether(cluster.url, `starts_${round}`, servers)
    if (faults.length === 0) continue
    failed += 1
    console.log(`round ${round}: ${faults.join('; ')}`)
  }
} finally {
  await cluster.stop()
}
console.log(`${rounds - failed} of ${rounds} rounds with ${servers} servers had no fault`)
process.exitCode = failed === 0 ? 0 : 1
