import { coverClasses, coverEdges, type Graph, type PathSet } from '@jiaowu/path-tests'

/**
 * Each transition by each sample, from each combination of tags, and where it changes nothing too:
 * what a screen is walked by in each test run. `MBT_EDGES=1` and `npm run paths` walk every edge,
 * which are up to thirty times as many steps.
 */
export function coverScreen(graph: Graph): PathSet {
  if (process.env.MBT_EDGES === '1') return coverEdges(graph)
  return coverEachClass(graph)
}

/** The short paths, whatever the run walks. */
export function coverEachClass(graph: Graph): PathSet {
  const tagsOf = (node: number) => [...(graph.nodes[node]?.snapshot.tags ?? [])].sort().join()
  return coverClasses(
    graph,
    ({ step, taken, from, to }) =>
      `${step.label} ${taken.join(' ')} ${tagsOf(from)} ${from === to ? 'stays' : ''}`,
  )
}
