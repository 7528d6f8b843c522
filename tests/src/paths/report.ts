import type { AnyStateMachine, AnyStateNode } from 'xstate'
import { declaredTransitions } from '../model/index.ts'
import { type MachineName, models } from '../models/registry.ts'
import { type Conformance, conformanceHtml, conformanceJunit } from '../surfaces/server/conformance.ts'
import { type SurfaceName, surfaceNames, type Walk } from './walk-part.ts'

/** `conformance`: of the server that was walked, if one was. */
export interface Run { readonly seed: number; readonly seconds: number; readonly walks: readonly Walk[]; readonly conformance?: Conformance | null }

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0)
const machineOf = (name: MachineName): AnyStateMachine => { const [spec] = Object.values(models[name].parts); if (spec === undefined) throw new Error(`${name} has no model`); return spec.machine }
const anchor = (id: string): string => id.replaceAll(/[^\w]/g, '-')

/** Which surfaces took a transition, by its id. */
const takenBy = (walks: readonly Walk[]): ReadonlyMap<string, readonly SurfaceName[]> => {
  const found = new Map<string, SurfaceName[]>()
  for (const { surface, taken } of walks) for (const id of taken) { const known = found.get(id) ?? []; if (!known.includes(surface)) known.push(surface); found.set(id, known) }
  return found
}

const arrow = (id: string, by: readonly SurfaceName[]): string => {
  const [, event = '', target = ''] = /--(.*)--> (.*)$/s.exec(id) ?? []
  const goal = target === '(stays)' ? '<i>stays</i>' : target.split(' ').map((each) => `<a href="#${anchor(each)}">${escaped(each.split('.').slice(1).join('.'))}</a>`).join(' ')
  return `<li class="${by.length === 0 ? 'never' : 'taken'}"><code>${escaped(event.replace(/\[0\]$/, ''))}</code> → ${goal} <small>${by.join(' ')}</small></li>`
}

/** The machine drawn as boxes in boxes, each transition in the colour of what walked it. */
const diagram = (machine: AnyStateMachine, by: ReadonlyMap<string, readonly SurfaceName[]>): string => {
  const ids = declaredTransitions(machine)
  const draw = (node: AnyStateNode): string => {
    const branches = [...node.transitions.values(), node.always ?? []].flat().flatMap((transition) => ids.get(transition) ?? [])
    const children = Object.values(node.states as Record<string, AnyStateNode>)
    return `<section class="state ${node.type}" id="${anchor(node.id)}"><b>${escaped(node.key)}</b>${node.tags.length === 0 ? '' : ` <small>${escaped(node.tags.join(' '))}</small>`}<ul>${branches.map((id) => arrow(id, by.get(id) ?? [])).join('')}</ul>${children.length === 0 ? '' : `<div class="inside">${children.map(draw).join('')}</div>`}</section>`
  }
  return draw(machine.root as AnyStateNode)
}

const surfaceRows = (walks: readonly Walk[], all: number): string => surfaceNames.flatMap((surface) => {
  const here = walks.filter((walk) => walk.surface === surface)
  if (here.length === 0) return []
  const cells = [surface, here.length, `${sum(here.map(({ visited }) => visited))} / ${sum(here.map(({ states }) => states))}`, `${sum(here.map(({ walked }) => walked))} / ${sum(here.map(({ edges }) => edges))}`, `${new Set(here.flatMap(({ taken }) => taken)).size} / ${all}`, sum(here.map(({ paths }) => paths)), sum(here.map(({ steps }) => steps)), (sum(here.map(({ ms }) => ms)) / 1000).toFixed(1)]
  return [`<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`]
}).join('')

const style = ':root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:1100px;padding:0 1rem}table{border-collapse:collapse;margin:1rem 0;display:block;overflow-x:auto}th,td{padding:.3rem .8rem;border-bottom:1px solid #8884;text-align:right}th:first-child,td:first-child{text-align:left}.state{border:1px solid #8886;border-radius:8px;padding:.5rem .8rem;margin:.5rem 0}.state.parallel>.inside{display:grid;grid-template-columns:repeat(auto-fit,minmax(280px,1fr));gap:0 .8rem}.state:target{outline:2px solid #1890ff}.state ul{list-style:none;margin:.2rem 0;padding:0}.taken{border-left:4px solid #2f9e5b;padding-left:.5rem}.never{border-left:4px solid #d4380d;padding-left:.5rem}pre{overflow:auto;padding:1rem;border-left:4px solid #d4380d;background:#8881}.ok{color:#2f9e5b}.bad{color:#d4380d}summary{cursor:pointer}'

/** The page a tester opens: what was walked, where, and how to repeat what failed. */
export const toHtml = ({ seed, seconds, walks, conformance = null }: Run): string => {
  const names = [...new Set(walks.map(({ machine }) => machine))]
  const failures = walks.flatMap((walk) => walk.failures.map((text) => ({ walk, text })))
  const parts = names.map((name) => {
    const own = walks.filter(({ machine }) => machine === name)
    const machine = machineOf(name)
    const all = declaredTransitions(machine).size
    return `<h2 id="${name}">${name}</h2><table><tr><th>surface</th><th>concerns</th><th>states</th><th>edges</th><th>transitions</th><th>paths</th><th>steps</th><th>seconds</th></tr>${surfaceRows(own, all)}</table><details><summary>The machine, coloured by what was walked</summary>${diagram(machine, takenBy(own))}</details>`
  })
  const recipes = failures.map(({ walk, text }) => `<h3>${walk.machine} on ${walk.surface}, ${escaped(walk.part)}</h3><pre>${escaped(text)}</pre>`).join('')
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Paths</title><style>${style}</style><h1>Paths made from the machines</h1><p class="${failures.length === 0 ? 'ok' : 'bad'}">${failures.length === 0 ? 'Every path was walked.' : `${failures.length} paths failed.`} ${sum(walks.map(({ paths }) => paths))} paths, ${sum(walks.map(({ steps }) => steps))} steps, ${seconds} s, seed ${seed}.</p><p>${names.map((name) => `<a href="#${name}">${name}</a>`).join(' · ')}</p>${recipes}${conformance === null ? '' : conformanceHtml(conformance)}${parts.join('')}</html>\n`
}

/** For CI: one case per machine, surface and concern. */
export const toJunit = ({ seconds, walks, conformance = null }: Run): string => {
  const cases = walks.map(({ machine, surface, part, ms, failures }) => `  <testcase classname="${machine}.${surface}" name="${escaped(part)}" time="${ms / 1000}">${failures.map((text) => `<failure message="${escaped(text.split('\n')[0] ?? '')}">${escaped(text)}</failure>`).join('')}</testcase>`)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="paths" tests="${walks.length}" failures="${walks.filter(({ failures }) => failures.length > 0).length}" time="${seconds}">\n${[...cases, ...(conformance === null ? [] : conformanceJunit(conformance))].join('\n')}\n</testsuite>\n`
}
