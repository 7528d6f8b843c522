import { adoptTablesView } from '@jiaowu/machines/adopt-tables/view'
import { bulkEditView } from '@jiaowu/machines/bulk-edit/view'
import { buttonsView } from '@jiaowu/machines/buttons/view'
import { designerView } from '@jiaowu/machines/designer/view'
import { downloadView } from '@jiaowu/machines/download/view'
import { entityFormView } from '@jiaowu/machines/entity-form/view'
import { entityListView } from '@jiaowu/machines/entity-list/view'
import { entryView } from '@jiaowu/machines/entry-sheet/view'
import { gridEditView } from '@jiaowu/machines/grid-edit/view'
import { lookupView } from '@jiaowu/machines/lookup/view'
import { noticesView } from '@jiaowu/machines/notices/view'
import { printPreviewView } from '@jiaowu/machines/print-preview/view'
import { registerView } from '@jiaowu/machines/register/view'
import { resourceView } from '@jiaowu/machines/resource/view'
import { revealView } from '@jiaowu/machines/reveal/view'
import { sessionView } from '@jiaowu/machines/session/view'
import { signInView } from '@jiaowu/machines/sign-in/view'
import { smsCodeView } from '@jiaowu/machines/sms-code/view'
import { todoListView } from '@jiaowu/machines/todo-list/view'
import { transferView } from '@jiaowu/machines/transfer/view'
import { viewsView } from '@jiaowu/machines/views/view'
import { type Problem, toProblem, problemText } from '@jiaowu/api/problem'
import { afterAll, describe, expect, test } from 'vitest'
import type { AnyMachineSnapshot } from 'xstate'
import {
  callEffect,
  type Edge,
  type Graph,
  type HeldCalls,
  type ModelState,
  type Outcome,
  pendingCalls,
  waitForPromises,
  type Step,
  type Stepper,
  traceTo,
  whenDue,
} from '@jiaowu/path-tests'
import { actorDriver, createStepper, explore, type Spec } from './spec.ts'
import { type FaultRow, faultTable } from './fault-table.ts'
import { captureFaultError, type FaultName, faultNames, faults } from './fault-replies.ts'
import { type MachineName, models } from './registry.ts'

/** The problem of each machine's view, which its surface shows of a failure. */
const problemShown: Readonly<Record<MachineName, (snapshot: never) => Problem | null>> = {
  session: (s) => sessionView(s).problem,
  entityList: (s) => entityListView(s).problem,
  entityForm: (s) => entityFormView(s).problem,
  buttons: (s) => buttonsView(s).problem,
  bulkEdit: (s) => bulkEditView(s).problem,
  gridEdit: (s) => {
    const view = gridEditView(s)
    return view.problem ?? view.saveProblem
  },
  lookup: (s) => lookupView(s).problem,
  transfer: (s) => transferView(s).problem,
  smsCode: (s) => {
    const view = smsCodeView(s)
    return view.captcha?.problem ?? view.problem
  },
  signIn: (s) => signInView(s).problem,
  register: (s) => registerView(s).problem,
  resource: (s) => {
    const view = resourceView(s)
    const failed = Object.values(view.results).find(({ ok }) => !ok)
    return view.problem ?? (failed?.ok === false ? failed.problem : null)
  },
  reveal: (s) => revealView(s).problem,
  entrySheet: (s) => entryView(s).problem,
  adoptTables: (s) => adoptTablesView(s).problem,
  todoList: (s) => todoListView(s).problem,
  notices: (s) => noticesView(s).problem,
  download: (s) => downloadView(s).problem,
  printPreview: (s) => printPreviewView(s).problem,
  designer: (s) => designerView(s).problem,
  views: (s) => viewsView(s).problem,
  tags: () => null,
  countdown: () => null,
}
/** `a.b.c` as a state's value; inner names that are left out are any. */
function toStateValue(path: string): string | object {
  return path
    .split('.')
    .reduceRight<string | object>((inner, name) => (inner === '' ? name : { [name]: inner }), '')
}
function isIn(snapshot: AnyMachineSnapshot, path: string): boolean {
  return path === 'done'
    ? snapshot.status === 'done'
    : snapshot.matches(toStateValue(path) as never)
}
const findFaultRows = (machine: MachineName): Readonly<Record<string, FaultRow>> =>
  faultTable[machine]
function graphsMade(machine: MachineName) {
  return Object.values(models[machine].parts).map((spec) => ({
    spec,
    model: createStepper(spec),
    graph: explore(spec, models[machine].limit ?? 600),
  }))
}
/** Kept: three tests ask for each machine's. */
const graphs = new Map<MachineName, ReturnType<typeof graphsMade>>()
afterAll(() => {
  graphs.clear()
})
function findGraphs(machine: MachineName) {
  const made = graphs.get(machine) ?? graphsMade(machine)
  graphs.set(machine, made)
  return made
}
/**
 * Lists the events that a person may bring, of all concerns together: an event after a fault may
 * belong to another one.
 */
function listMachineSamples(machine: MachineName): readonly { type: string }[] {
  return Object.values(models[machine].parts).flatMap(({ events }) =>
    Object.entries(events).flatMap(([type, cases]) =>
      Object.values(cases).map((payload) => ({ ...payload, type })),
    ),
  )
}
function failing(port: string, error: unknown): Step {
  return {
    kind: 'settle',
    label: port,
    call: port,
    source: port,
    outcome: { name: 'fault', ok: false, error },
    event: { type: `xstate.error.actor.${port}`, error, actorId: port } as never,
  }
}

const machinesAsking = (Object.keys(models) as MachineName[]).filter(
  (name) => Object.keys(findFaultRows(name)).length > 0,
)

interface Cell {
  readonly machine: MachineName
  readonly port: string
  readonly fault: FaultName
  readonly row: FaultRow
  readonly before: ModelState
  readonly state: string
  readonly model: Stepper<unknown>
  readonly error: unknown
}
/** Lists the faults in the result of one call that met one fault. */
function cellFaults({ machine, port, row, before, model, error }: Cell): string[] {
  const { at: after, effects, crash } = model.step(before, failing(port, error))
  const problem = toProblem(error)
  const special = Object.entries(row.from ?? {}).find(([from]) => isIn(before.snapshot, from))?.[1]
  const { to, shownIn, out } =
    (problem.kind === 'session' ? row.ended : undefined) ?? special ?? row
  const { snapshot } = after
  const lines: string[] = []
  if (crash !== null) lines.push('the machine has died')
  if (!to.some((path) => isIn(snapshot, path)))
    lines.push(`it is in ${JSON.stringify(snapshot.value)}, not in ${to.join(' or ')}`)
  const onPage =
      JSON.stringify(problemShown[machine](snapshot as never)) === JSON.stringify(problem),
    inToast = effects.some(
      (effect) => effect.startsWith('emit ') && effect.includes(JSON.stringify(problem.message)),
    )
  if (
    !(
      shownIn.startsWith('nothing') ||
      (shownIn.includes('page') && onPage) ||
      (shownIn.includes('toast') && inToast)
    )
  )
    lines.push(`the user cannot read ${JSON.stringify(problem.message)} (${shownIn})`)
  const ways = listMachineSamples(machine).filter(({ type }) => out.includes(type))
  if (
    snapshot.status === 'active' &&
    !(out.includes('time') && (after.timers.length > 0 || pendingCalls(after).length > 0)) &&
    !ways.some((event) => snapshot.can(event))
  )
    lines.push(`none of ${out.join(', ')} can be done`)
  return lines
}

describe('every call of every machine under every fault', () => {
  test.each(machinesAsking)(
    '%s: where it ends, what the person reads, what can be done then',
    async (machine) => {
      const errors = new Map<string, Promise<unknown>>(),
        met = new Set<string>(),
        wrong = new Set<string>()
      for (const { model, graph } of findGraphs(machine))
        for (const { at, state } of graph.nodes)
          for (const { source: port, input } of pendingCalls(at))
            for (const fault of faultNames) {
              const row = findFaultRows(machine)[port]
              if (row === undefined) throw new Error(`${machine}.${port} has no row`)
              const key = `${port} ${fault}`
              const error = await (errors.get(key) ??
                errors.set(key, captureFaultError(machine, port, input, fault)).get(key))
              met.add(key)
              for (const line of cellFaults({
                machine,
                port,
                fault,
                row,
                before: at,
                state,
                model,
                error,
              }))
                wrong.add(`${port} meets ${fault} in ${state}: ${line}`)
            }
      // The words themselves, as the real client makes them of what came.
      for (const [key, error] of errors) {
        const fault = faults[key.split(' ')[1] as FaultName]
        expect([
          key,
          problemText('zh-CN', toProblem(await error)),
          problemText('en', toProblem(await error)),
        ]).toEqual([key, fault.zh, fault.en])
      }
      expect([...wrong].slice(0, 12)).toEqual([])
      expect([...met].sort()).toEqual(
        Object.keys(findFaultRows(machine))
          .flatMap((port) => faultNames.map((fault) => `${port} ${fault}`))
          .sort(),
      )
      console.log(
        `${machine}: ${Object.keys(findFaultRows(machine)).length} calls x ${faultNames.length} faults`,
      )
    },
  )
})

describe('a gesture made twice', () => {
  test.each(machinesAsking)(
    '%s: changes nothing twice, and one answer is waited for',
    (machine) => {
      const wrong = new Set<string>(),
        doubled = new Set<string>()
      for (const { model, graph } of findGraphs(machine))
        for (const edge of graph.edges) {
          const before = graph.nodes[edge.from]?.at
          if (
            edge.step.kind !== 'user' ||
            before === undefined ||
            edge.at.snapshot.status !== 'active'
          )
            continue
          const begun = pendingCalls(edge.at).filter(({ source, input }) =>
            edge.effects.includes(callEffect(source, input)),
          )
          const again = model.step(edge.at, edge.step)
          for (const { source: port } of begun) {
            doubled.add(port)
            if (
              findFaultRows(machine)[port]?.writes === true &&
              again.effects.some((effect) => effect.startsWith(`call ${port} `))
            )
              wrong.add(
                `${edge.step.label} twice in ${graph.nodes[edge.from]?.state}: ${port} is called twice`,
              )
            if (pendingCalls(again.at).filter((call) => call.source === port).length > 1)
              wrong.add(`${edge.step.label} twice: two answers of ${port} are waited for`)
          }
        }
      expect([...wrong]).toEqual([])
      // Calls that a person's gesture starts at all were doubled; polls and calls that follow by
      // themselves were not.
      expect(
        Object.entries(findFaultRows(machine))
          .filter(([port, { writes }]) => writes === true && !doubled.has(port))
          .map(([port]) => port),
      ).toEqual([])
    },
  )
})

/** Ports that answer even after the call was aborted, as behind a proxy that swallows the abort. */
function deafPorts() {
  let held: { port: string; input: unknown; end: (outcome: Outcome) => void }[] = []
  const dropped: typeof held = []
  const portOf = (port: string) => (input: unknown, signal?: AbortSignal) =>
    new Promise((resolve, reject) => {
      const call = {
        port,
        input,
        end: (outcome: Outcome) => {
          if (outcome.ok) resolve(outcome.output)
          else reject(outcome.error)
        },
      }
      held.push(call)
      signal?.addEventListener(
        'abort',
        () => {
          held = held.filter((other) => other !== call)
          dropped.push(call)
        },
        { once: true },
      )
    })
  const functions = new Proxy(
    {},
    {
      get: (_target, name) =>
        typeof name === 'string' && name !== 'then' ? portOf(name) : undefined,
    },
  ) as never
  const made: HeldCalls<never> = {
    functions,
    pending: () => held.map(({ port }) => port),
    inputs: (port) => held.filter((call) => call.port === port).map(({ input }) => input),
    started: () => [],
    settle: (port, outcome) => {
      const call = held.find((each) => each.port === port)
      if (call === undefined) throw new Error(`no call of ${port} is pending`)
      held = held.filter((other) => other !== call)
      call.end(outcome)
    },
  }
  return { held: made, dropped }
}

/** Walks to an edge that gives a call up, each timer awaited as it comes; null where another would come first. */
async function arrive(spec: Spec<unknown>, model: Stepper<unknown>, graph: Graph, edge: Edge) {
  const { held, dropped } = deafPorts(),
    driver = actorDriver(spec, { calls: held as never })
  const start = graph.nodes[edge.from]?.start ?? 'start'
  await driver.start(start)
  let { at } = model.start(start)
  for (const { step } of [...traceTo(graph, edge.from), edge]) {
    const due = whenDue(at, step)
    if (
      at.timers.some(
        ({ id, since, ms }) =>
          since + ms <= due.now && !(step.kind === 'time' && step.timer === id),
      )
    ) {
      await driver.dispose()
      return null
    } // another timer would come first
    await driver.advance(due.now - at.now)
    at = due
    if (step.kind === 'time') {
      /* it has come */
    } else if (step.kind === 'settle') await driver.settle(step.source, step.outcome)
    else if (step.kind === 'user') await driver.user(step)
    ;({ at } = model.step(at, step))
  }
  return { driver, dropped }
}

type DroppedCall = ReturnType<typeof pendingCalls>[number]

/** The call that a user's step gives up: it ends, or the step starts it anew. */
function droppedCall(graph: Graph, edge: Edge): DroppedCall | null {
  if (edge.step.kind !== 'user') return null
  const before = graph.nodes[edge.from]
  const given =
    before === undefined
      ? undefined
      : pendingCalls(before.at).find(
          ({ name }) =>
            !pendingCalls(edge.at).some((call) => call.name === name) ||
            edge.effects.some((effect) => effect.startsWith(`call ${name} `)),
        )
  return given ?? null
}

/** One success, when the model has one, and one refusal. */
async function lateAnswers(
  machine: (typeof machinesAsking)[number],
  spec: Spec<unknown>,
  { source: port, input }: DroppedCall,
): Promise<readonly Outcome[]> {
  const table = spec.outcomes[port],
    cases: Readonly<Record<string, Outcome>> =
      (typeof table === 'function' ? table(input as never) : table) ?? {}
  const success = Object.values(cases).find(({ ok }) => ok)
  const refusal = { ok: false, error: await captureFaultError(machine, port, input, 500) } as const
  return success === undefined ? [refusal] : [success, refusal]
}

/** Answers every dropped call twice; whether the machine changed or had an effect. */
async function changesAfter(
  { driver, dropped }: NonNullable<Awaited<ReturnType<typeof arrive>>>,
  late: Outcome,
): Promise<boolean> {
  const before = JSON.stringify(await driver.observe())
  driver.effects?.()
  for (const call of dropped) {
    call.end(late)
    call.end(late)
  }
  await waitForPromises()
  const changed =
    JSON.stringify(await driver.observe()) !== before || (driver.effects?.() ?? []).length > 0
  await driver.dispose()
  return changed
}

describe('an answer that is no longer awaited', () => {
  test.each(machinesAsking)('%s: changes nothing', async (machine) => {
    const tried = new Set<string>(),
      wrong = new Set<string>()
    for (const { spec, model, graph } of findGraphs(machine))
      for (const edge of graph.edges) {
        const given = droppedCall(graph, edge)
        if (given === null) continue
        const name = `${given.source} given up in ${graph.nodes[edge.from]?.state} by ${edge.step.label}`
        if (tried.has(name)) continue
        for (const late of await lateAnswers(machine, spec, given)) {
          const arrived = await arrive(spec, model, graph, edge)
          if (arrived === null) continue
          tried.add(name)
          if (await changesAfter(arrived, late)) wrong.add(name)
        }
      }
    expect([...wrong]).toEqual([])
    console.log(`${machine}: ${tried.size} calls given up, answered late`)
  })
})
