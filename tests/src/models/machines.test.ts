import type { AnyStateMachine } from 'xstate'
import { describe, expect, test } from 'vitest'
import { bareDriver, check, commonRules, explore, journeys, lint, type MutationReport, mutants, type Rule, runMutants, runPaths, runWalks, type Spec } from '../model/index.ts'
import { formAddModel, formCascadeModel, formEditModel, formStaleModel, formViewModel } from './entity-form.model.ts'
import { listDeletingModel, listQueryModel, listRowsModel, listSideModel, listSingleModel, listSizeModel } from './entity-list.model.ts'
import { sessionModel } from './session.model.ts'

const contextOf = (snapshot: unknown) => (snapshot as { context: Record<string, never> }).context as Record<string, unknown>
const rules: Readonly<Record<string, readonly Rule[]>> = {
  session: [
    { name: 'nobody is active without a token', kind: 'state', holds: ({ world }) => !world.snapshot.hasTag('active') || contextOf(world.snapshot).facts !== null },
    { name: 'signing out always forgets everything, whatever the call answers', kind: 'edge', holds: ({ step }, from, to) => !(from.world.snapshot.matches('signingOut') && step.kind === 'settle') || (to.world.snapshot.matches('signedOut') && contextOf(to.world.snapshot).facts === null && contextOf(to.world.snapshot).profile === null) },
    { name: 'a refresh that the network swallowed leaves the old token', kind: 'edge', holds: ({ step }, from, to) => step.label !== 'refresh → network' || JSON.stringify(contextOf(from.world.snapshot).facts) === JSON.stringify(contextOf(to.world.snapshot).facts) },
    { name: 'an ended session keeps the person, so that the page stays', kind: 'state', holds: ({ world }) => !world.snapshot.hasTag('expired') || contextOf(world.snapshot).ended !== null },
    { name: 'one call to refresh at a time', kind: 'edge', holds: ({ effects }, from) => !from.world.snapshot.matches({ active: 'refreshing' }) || !effects.some((effect) => effect.startsWith('call refresh')) },
    { name: 'from everywhere one can be signed out', kind: 'reach', to: ({ world }) => world.snapshot.hasTag('signedOut') },
  ],
  entityList: [
    { name: 'search and reset ask for the first page', kind: 'edge', holds: ({ step, effects }, _from, to) => !(step.kind === 'user' && !step.sneak && /^query\.(search|reset)/.test(step.label) && effects.length > 0) || contextOf(to.world.snapshot).pageNum === 1 },
    { name: 'reset clears search, sorts and selection', kind: 'edge', holds: ({ step, effects }, _from, to) => { const c = contextOf(to.world.snapshot); return !(step.label.startsWith('query.reset') && effects.length > 0) || JSON.stringify([c.draft, c.applied, c.sorts, c.selected]) === '[{},{},[],[]]' } },
    { name: 'cancelling a delete clears the selection', kind: 'edge', holds: ({ step }, from, to) => !(step.label.startsWith('delete.cancel') && from.world.snapshot.matches({ list: { ready: 'confirmingDelete' } })) || (contextOf(to.world.snapshot).selected as string[]).length === 0 },
    { name: 'a single-select table holds one row at most', kind: 'state', holds: ({ world }) => { const c = contextOf(world.snapshot) as { config: { options: { singleSelect: boolean } } | null; selected: string[] }; return c.config?.options.singleSelect !== true || c.selected.length <= 1 } },
    { name: 'rows are deleted only after a yes', kind: 'edge', holds: ({ step, effects }) => !effects.some((effect) => effect.startsWith('call removeRows')) || step.label.startsWith('delete.confirm') },
    { name: 'from everywhere rows can be shown', kind: 'reach', to: ({ world }) => world.snapshot.hasTag('shown') },
  ],
  entityForm: [
    { name: 'a dirty form is left only after a yes', kind: 'edge', holds: ({ step }, from, to) => !to.world.snapshot.matches('left') || !from.world.snapshot.matches({ editing: 'dirty' }) || step.label.startsWith('leave.confirm') },
    { name: 'a refused save loses nothing', kind: 'edge', holds: ({ step }, from, to) => !(step.kind === 'settle' && step.port === 'saveRow' && !step.outcome.ok) || JSON.stringify(contextOf(from.world.snapshot).values) === JSON.stringify(contextOf(to.world.snapshot).values) },
    { name: 'nothing invalid is sent', kind: 'edge', holds: ({ effects }, _from, to) => !effects.some((effect) => effect.startsWith('call saveRow')) || contextOf(to.world.snapshot).values !== undefined && (contextOf(to.world.snapshot).values as { name: unknown }).name !== '' },
    { name: 'what somebody else saved is overwritten only by choice', kind: 'edge', holds: ({ effects, step }, from) => !(from.world.snapshot.matches('stale') && effects.some((effect) => effect.startsWith('call saveRow'))) || step.label.startsWith('stale.save') },
    { name: 'a new parent clears the cascade child', kind: 'edge', holds: ({ step, effects }, from, to) => !(step.label.startsWith('field.change(faculty)') && !(step.kind === 'user' && step.sneak) && effects.length === 0 && from.world.snapshot.hasTag('editing')) || JSON.stringify((contextOf(to.world.snapshot).values as { major: unknown }).major) === '[]' || JSON.stringify(contextOf(from.world.snapshot).values) === JSON.stringify(contextOf(to.world.snapshot).values) },
  ],
}

interface Gate { readonly id: string; readonly specs: readonly Spec<unknown>[]; /** Least share of mutants that must be noticed: measured, and never to sink. */ readonly least: number }
const gates: readonly Gate[] = [
  { id: 'session', specs: [sessionModel as unknown as Spec<unknown>], least: 0.9 },
  { id: 'entityForm', specs: [formCascadeModel, formAddModel, formViewModel, formStaleModel, formEditModel] as unknown as Spec<unknown>[], least: 0.9 },
  { id: 'entityList', specs: [listSingleModel, listSizeModel, listDeletingModel, listSideModel, listRowsModel, listQueryModel] as unknown as Spec<unknown>[], least: 0.85 },
]

describe.each(gates)('machine $id', ({ id, specs, least }) => {
  const parts = specs.map((spec) => { const graph = explore(spec, 600); return { spec, graph, paths: journeys(graph).paths } })
  const allRules = [...commonRules(), ...(rules[id] ?? [])]
  test('takes every declared transition, with keys fine enough', () => {
    const reached = new Set(parts.flatMap(({ graph }) => graph.transitions.filter((each) => each.reached).map((each) => each.id)))
    expect(parts.flatMap(({ graph }) => graph.transitions.map((each) => each.id)).filter((each) => !reached.has(each))).toEqual([])
    expect(parts.flatMap(({ graph }) => graph.coarse)).toEqual([])
  })
  test('has no misspelt name, no invoke without onError, no branch nobody reaches', () => { for (const { spec } of parts) expect(lint(spec.machine, Object.keys(spec.events))).toEqual([]) })
  test('keeps its rules in every reachable state', () => { for (const { graph } of parts) expect(check(graph, allRules)).toEqual([]) })
  test('behaves as its model on every journey, on the bare machine', async () => {
    for (const { spec, graph, paths } of parts) {
      const { failures } = await runPaths(spec, graph, paths, () => bareDriver(spec))
      expect(failures.join('\n\n')).toBe('')
      console.log(`${id}: ${graph.nodes.length} states, ${graph.edges.length} edges, ${graph.transitions.length} transitions, ${paths.length} paths`)
    }
  })
  test('behaves as its model on random walks', async () => { for (const { spec } of parts) expect((await runWalks(spec, () => bareDriver(spec), { seed: 7, walks: 40 })).failure).toBeNull() })
  test('its mutants are noticed', async () => {
    const [first] = parts
    const all = first === undefined ? [] : mutants(first.spec.machine)
    // Each part judges only what the cheaper ones before it let through.
    let survivors = all.map((mutant) => mutant.id)
    for (const { spec, paths } of parts) {
      const left = all.filter((mutant) => survivors.includes(mutant.id))
      const report: MutationReport = await runMutants(spec, left, paths, { makeDriver: (machine: AnyStateMachine) => bareDriver(spec, machine), rules: allRules })
      survivors = [...report.survivors]
    }
    console.log(`${id}: ${all.length - survivors.length} of ${all.length} mutants noticed; survivors:\n  ${survivors.join('\n  ')}`)
    expect(1 - survivors.length / all.length).toBeGreaterThanOrEqual(least)
  }, 180_000)
})
