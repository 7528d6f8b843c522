// A thread of `mutateInWorkers`.
import { parentPort, workerData } from 'node:worker_threads'
import { coverEdges } from '../cover/paths.ts'
import type { Rule } from '../explore/check.ts'
import { explore } from '../explore/explore.ts'
import type { Model } from '../model/define-model.ts'
import type { WorkerAnswer, WorkerTask } from './mutate-in-workers.ts'
import { mutants } from './mutants.ts'
import { startTrial } from './mutation.ts'

const task = workerData as WorkerTask
const exported = (await import(task.module)) as Readonly<Record<string, unknown>>
const model = findExport<Model<unknown>>(task.model)
const rules = task.rules === null ? [] : findExport<readonly Rule[]>(task.rules)
const graph = explore(model)
const { paths } = coverEdges(graph)
const list = mutants(model.machine)
const trial = await startTrial(model, paths, { rules, runsUnbroken: task.runsUnbroken })
sendAnswer({
  type: 'ready',
  ids: list.map(({ id }) => id),
  unbroken: trial.unbroken,
  isCut: graph.unexplored > 0,
})
parentPort?.on('message', (at: number) => {
  const mutant = list[at]
  if (mutant !== undefined)
    // A rejection ends the thread, and with it the run.
    void trial.fateOf(mutant).then((fate) => sendAnswer({ type: 'fate', at, fate }))
})

function sendAnswer(message: WorkerAnswer): void {
  parentPort?.postMessage(message)
}

function findExport<T>(name: string): T {
  const value = exported[name]
  if (value === undefined) throw new TypeError(`${task.module} has no export ${name}`)
  return value as T
}
