// `node tests/machines/print-paths.ts NAME`: the catalogue of a machine's paths as JSON. `jiaowu
// machine paths NAME` runs it.
import { catalogue, coverEdges, coverTransitions } from '@jiaowu/path-tests'
import { explore } from './spec.ts'
import { type MachineName, models } from './registry.ts'

const name = process.argv[2] ?? ''
if (!(name in models)) process.exit(5)
const { parts, limit = 600 } = models[name as MachineName]
const printed = Object.entries(parts).map(([part, spec]) => {
  const graph = explore(spec, limit)
  return [part, catalogue(graph, [coverEdges(graph), coverTransitions(graph)])]
})
process.stdout.write(
  `${JSON.stringify({ machine: name, parts: Object.fromEntries(printed) as object })}\n`,
)
