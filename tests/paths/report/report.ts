import { escapeHtml } from '@jiaowu/api/escape-html'
import type { AnyStateMachine, AnyStateNode } from 'xstate'
import { declaredTransitions } from '@jiaowu/path-tests'
import { type MachineName, models } from '../../machines/registry.ts'
import {
  type Conformance,
  conformanceHtml,
  conformanceJunit,
} from '../../surfaces/server/conformance.ts'
import type { Mutation } from '../../surfaces/mutation.ts'
import { recipeHtml } from './recipe-html.ts'
import { reportStyle } from './report-style.ts'
import { buildTableCells, buildTable } from '../documents/table.ts'
import { type SurfaceName, surfaceNames, type Walk } from '../walk-part.ts'

/** `conformance`: the result of the server that was walked, if any. */
export interface Run {
  readonly seed: number
  readonly seconds: number
  readonly walks: readonly Walk[]
  /** Results of mutants, when requested. */
  readonly mutations?: readonly Mutation[]
  readonly conformance?: Conformance | null
}
const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0)
const anchor = (id: string): string => id.replaceAll(/[^\w]/g, '-')

/** The report page: what was walked, where, and how to reproduce failures. */
export function toHtml(run: Run): string {
  const { seed, seconds, walks, mutations = [], conformance = null } = run
  const names = [
    ...new Set([...walks, ...mutations].map(({ machine }) => machine)),
  ] as MachineName[]
  const failures = walks.flatMap((walk) =>
    walk.failures.map((text, index) => ({ walk, text, index })),
  )
  const parts = names.map((name) => {
    const own = walks.filter(({ machine }) => machine === name)
    const machine = findMachine(name)
    const surfaces = `<div class="wide"><table><tr><th>surface</th><th>concerns</th><th>states</th><th>edges</th><th>transitions</th><th>paths</th><th>steps</th><th>seconds</th></tr>${surfaceRows(own, declaredTransitions(machine).size)}</table></div>`
    return `<h2 id="${name}">${name}</h2>${own.length === 0 ? '' : surfaces}<details><summary>The machine, coloured by what was walked</summary>${diagram(machine, takenBy(own))}</details>${formatSurvivors(mutations.filter((each) => each.machine === name))}`
  })
  const count = `${sum(walks.map(({ paths }) => paths))} paths, ${sum(walks.map(({ steps }) => steps))} steps, ${seconds} s, seed ${seed}.`
  const recipes = failures.map(({ walk, text, index }) => formatFailure(walk, text, index)).join('')
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Paths</title><style>${reportStyle}</style><h1>Paths made from the machines</h1><p class="verdict ${failures.length === 0 ? 'ok' : 'bad'}">${failures.length === 0 ? 'Every path was walked.' : `${failures.length} paths failed.`} ${count}</p>${overview(run)}<p><small>Under a surface: edges walked of all. A step list of each machine is in docs/machines.</small></p>${recipes}${conformance === null ? '' : conformanceHtml(conformance)}${parts.join('')}</html>\n`
}

function findMachine(name: MachineName): AnyStateMachine {
  const [spec] = Object.values(models[name].parts)
  if (spec === undefined) throw new Error(`${name} has no model`)
  return spec.machine
}

function surfaceRows(walks: readonly Walk[], all: number): string {
  return surfaceNames
    .flatMap((surface) => {
      const here = walks.filter((walk) => walk.surface === surface)
      if (here.length === 0) return []
      const of = (count: (walk: Walk) => number) => sum(here.map(count))
      const plain = [
        of(({ paths }) => paths),
        of(({ steps }) => steps),
        (of(({ ms }) => ms) / 1000).toFixed(1),
      ]
      return [
        `<tr><td><span class="by ${surface}">${surface}</span></td><td>${here.length}</td>${formatMeter(
          of(({ visited }) => visited),
          of(({ states }) => states),
        )}${formatMeter(
          of(({ walked }) => walked),
          of(({ edges }) => edges),
        )}${formatMeter(new Set(here.flatMap(({ taken }) => taken)).size, all)}${plain.map((cell) => `<td>${cell}</td>`).join('')}</tr>`,
      ]
    })
    .join('')
}

function formatMeter(part: number, all: number): string {
  return `<td><meter min="0" max="${all}" value="${part}"></meter>${part} / ${all}</td>`
}

/** The machine as nested boxes, each transition in the colour of the surfaces that took it. */
function diagram(
  machine: AnyStateMachine,
  by: ReadonlyMap<string, readonly SurfaceName[]>,
): string {
  const ids = declaredTransitions(machine)
  const draw = (node: AnyStateNode): string => {
    const branches = [...node.transitions.values(), node.always ?? []]
      .flat()
      .flatMap((transition) => ids.get(transition) ?? [])
    const children = Object.values(node.states as Record<string, AnyStateNode>)
    return `<section class="state ${node.type}" id="${anchor(node.id)}"><b>${escapeHtml(node.key)}</b>${node.tags.length === 0 ? '' : ` <small>${escapeHtml(node.tags.join(' '))}</small>`}<ul>${branches.map((id) => arrow(id, by.get(id) ?? [])).join('')}</ul>${children.length === 0 ? '' : `<div class="inside">${children.map(draw).join('')}</div>`}</section>`
  }
  return draw(machine.root as AnyStateNode)
}

function arrow(id: string, by: readonly SurfaceName[]): string {
  const [, event = '', target = ''] = /--(.*)--> (.*)$/s.exec(id) ?? []
  const goal =
    target === '(stays)'
      ? '<i>stays</i>'
      : target
          .split(' ')
          .map(
            (each) =>
              `<a href="#${anchor(each)}">${escapeHtml(each.split('.').slice(1).join('.'))}</a>`,
          )
          .join(' ')
  return `<li class="${by.length === 0 ? 'never' : 'taken'}"><code>${escapeHtml(event.replace(/\[0\]$/, ''))}</code> → ${goal} ${by.map((name) => `<span class="by ${name}">${name}</span>`).join('')}</li>`
}

/** The surfaces that took each transition, by its id. */
function takenBy(walks: readonly Walk[]): ReadonlyMap<string, readonly SurfaceName[]> {
  const found = new Map<string, SurfaceName[]>()
  for (const { surface, taken } of walks)
    for (const id of taken) {
      const known = found.get(id) ?? []
      if (!known.includes(surface)) known.push(surface)
      found.set(id, known)
    }
  return found
}

function formatSurvivors(mutations: readonly Mutation[]): string {
  const left = mutations.flatMap(({ surface, survivors }) =>
    survivors.map(({ id, why }) => ({ surface, id, why })),
  )
  return left.length === 0
    ? ''
    : `<details><summary>${left.length} broken variants without a failing path</summary><ul>${left.map(({ surface, id, why }) => `<li><span class="by ${surface}">${surface}</span> <code>${escapeHtml(id)}</code> ${why === null ? '<b class="bad">not argued for</b>' : escapeHtml(why)}</li>`).join('')}</ul></details>`
}

/** A recipe with a picture of the screen beside it. */
function formatFailure(
  { machine, surface, part, pictures }: Walk,
  text: string,
  index: number,
): string {
  const picture = pictures[index] ?? null
  const page = picture?.data.replace(/html$/, 'png')
  const seen =
    picture === null
      ? ''
      : picture.kind === 'text'
        ? `<figure><pre class="screen">${escapeHtml(picture.data)}</pre><figcaption>The terminal at the failing step</figcaption></figure>`
        : `<figure><a href="${picture.data}"><img src="${page ?? ''}" alt="The page at the failing step" loading="lazy"></a><figcaption>The page at the failing step${picture.kind === 'html' ? '; the link opens what the emulated browser held' : ''}</figcaption></figure>`
  return `<section class="failure"><h3>${machine} on <span class="by ${surface}">${surface}</span> ${escapeHtml(part)}</h3><div class="beside"><div>${recipeHtml(text)}</div>${seen}</div></section>`
}

/** One line per machine, with a link to its section. */
function overview({ walks, mutations = [] }: Run): string {
  const { head, body } = buildTableCells(
    buildTable(Object.keys(models) as MachineName[], walks, mutations),
    true,
  )
  const cell = (text: string, at: number) =>
    at === 0
      ? `<td><a href="#${text}">${text}</a></td>`
      : `<td class="${text.includes('✗') ? 'bad' : ''}">${escapeHtml(text)}</td>`
  return `<div class="wide"><table><tr>${head.map((title) => `<th>${title}</th>`).join('')}</tr>${body.map((cells) => `<tr>${cells.map(cell).join('')}</tr>`).join('')}</table></div>`
}

/** For CI: one case per machine, surface and concern. */
export function toJunit({ seconds, walks, conformance = null }: Run): string {
  const cases = walks.map(
    ({ machine, surface, part, ms, failures }) =>
      `  <testcase classname="${machine}.${surface}" name="${escapeHtml(part)}" time="${ms / 1000}">${failures.map((text) => `<failure message="${escapeHtml(text.split('\n')[0] ?? '')}">${escapeHtml(text)}</failure>`).join('')}</testcase>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="paths" tests="${walks.length}" failures="${walks.filter(({ failures }) => failures.length > 0).length}" time="${seconds}">\n${[...cases, ...(conformance === null ? [] : conformanceJunit(conformance))].join('\n')}\n</testsuite>\n`
}
