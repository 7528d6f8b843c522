// Paths through a flow that take every event of it, by everybody whom it asks: steps for a tester, and for the
// tests that walk a flow on a surface (docs/rules/contract.md#flows).
import type { Flow } from '@jiaowu/api/entity/definition/flow'
import { buildPeople, exploreFlow, type FlowEdge, type FlowGraph } from './explore.ts'
import { type CompiledFlow, compileFlow, type FlowCase, listActive } from './flow.ts'
import { listConditions } from './parts.ts'
import type { EventPart } from './parts.ts'
import type { FlowPerson } from './people.ts'
import { type DomainOf, sampleRows, type SampleRow } from './samples.ts'

interface FlowPathMove {
  /** Null for a timer. */
  readonly by: FlowPerson | null
  readonly part: EventPart
  readonly before: FlowCase
  readonly after: FlowCase
}
export interface FlowPath {
  /** Values of the row that the path needs, by attrName. */
  readonly row: SampleRow
  readonly moves: readonly FlowPathMove[]
}

const mostNodes = 2000

/**
 * A cover of the flow's events, in each way that they lead, with few paths.
 * @param flow without faults
 */
export function listFlowPaths(flow: Flow, domainOf: DomainOf = () => null): readonly FlowPath[] {
  const compiled = compileFlow(flow)
  const people = buildPeople(compiled, () => Infinity)
  const covered = new Set<string>()
  const budget = { left: mostNodes }
  return sampleRows(listConditions(compiled.parts), domainOf).rows.flatMap((row) =>
    coverGraph(compiled, exploreFlow(compiled, people, row, budget), covered),
  )
}

function coverGraph(
  { parts }: CompiledFlow,
  { nodes, edges, row }: FlowGraph,
  covered: Set<string>,
): readonly FlowPath[] {
  const leaving = Map.groupBy(edges, ({ from }) => from)
  const paths: FlowPath[] = []
  const take = (path: FlowEdge[], edge: FlowEdge) => {
    covered.add(buildEdgeKey(edge))
    path.push(edge)
  }
  // Nodes come in the order of their distance, so the way to each is a shortest one.
  for (const node of nodes)
    for (const edge of leaving.get(node) ?? []) {
      if (covered.has(buildEdgeKey(edge))) continue
      const path: FlowEdge[] = []
      for (let step = node; step.from !== null; step = step.from) {
        const known = edges.find(
          ({ from, to, part, by }) =>
            from === step.from && to === step && part === step.part && by === step.by,
        )
        if (known !== undefined) path.unshift(known)
      }
      for (const each of path) covered.add(buildEdgeKey(each))
      let next: FlowEdge | undefined = edge
      while (next !== undefined && path.length < parts.events.length * 2) {
        take(path, next)
        next = (leaving.get(next.to) ?? []).find((each) => !covered.has(buildEdgeKey(each)))
      }
      paths.push({
        row,
        moves: path.map(({ by, part, from, to }) => ({
          by,
          part,
          before: from.flowCase,
          after: to.flowCase,
        })),
      })
    }
  return paths
}

/** An event is taken by each of its people, and in each way: as one of several votes, and as the last. */
function buildEdgeKey({ by, part, from, to }: FlowEdge): string {
  const isMoved = listActive(from.flowCase).join() !== listActive(to.flowCase).join()
  return `${part.type}[${String(part.no)}] ${by === null ? '' : by.terms.join()} ${String(isMoved)}`
}
