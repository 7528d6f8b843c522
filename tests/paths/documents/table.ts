import type { Mutation } from '../../surfaces/mutation.ts'
import type { MachineName } from '../../machines/registry.ts'
import { type SurfaceName, surfaceNames, type Walk } from '../walk-part.ts'

/** The figures of one surface of a machine. */
export interface Walked {
  readonly states: number
  readonly edges: number
  readonly walked: number
  readonly transitions: number
  readonly paths: number
  readonly steps: number
  readonly ms: number
  readonly failed: number
}
/** Mutants of a machine or of its screens: tried, noticed, excused. */
export interface Broken {
  readonly tried: number
  readonly caught: number
  readonly argued: number
  readonly ms: number
}
/**
 * One line of the table: a machine, the surfaces that walked it, and the mutants noticed (`bare`:
 * mutants of the machine itself).
 */
export interface Row {
  readonly machine: MachineName
  readonly surfaces: Readonly<Partial<Record<SurfaceName, Walked>>>
  readonly broken: Readonly<Partial<Record<SurfaceName, Broken>>>
}

export function buildTable(
  machines: readonly MachineName[],
  walks: readonly Walk[],
  mutations: readonly Mutation[],
): readonly Row[] {
  return machines.flatMap((machine) => {
    const own = walks.filter((walk) => walk.machine === machine),
      broken = mutations.filter((each) => each.machine === machine)
    return own.length + broken.length === 0
      ? []
      : [
          {
            machine,
            surfaces: perSurface(own, ({ surface }) => surface, sumWalks),
            broken: perSurface(broken, ({ surface }) => surface, sumMutations),
          },
        ]
  })
}

function perSurface<T, Out>(
  all: readonly T[],
  surfaceOf: (each: T) => string,
  make: (some: readonly T[]) => Out,
): Partial<Record<SurfaceName, Out>> {
  return Object.fromEntries(
    surfaceNames.flatMap((surface) => {
      const here = all.filter((each) => surfaceOf(each) === surface)
      return here.length === 0 ? [] : [[surface, make(here)]]
    }),
  )
}

function sumWalks(walks: readonly Walk[]): Walked {
  return {
    states: sum(walks, ({ states }) => states),
    edges: sum(walks, ({ edges }) => edges),
    walked: sum(walks, ({ walked }) => walked),
    transitions: new Set(walks.flatMap(({ taken }) => taken)).size,
    paths: sum(walks, ({ paths }) => paths),
    steps: sum(walks, ({ steps }) => steps),
    ms: sum(walks, ({ ms }) => ms),
    failed: sum(walks, ({ failures }) => failures.length),
  }
}

function sum<T>(all: readonly T[], of: (each: T) => number): number {
  return all.reduce((total, each) => total + of(each), 0)
}

function sumMutations(found: readonly Mutation[]): Broken {
  return {
    tried: sum(found, ({ tried }) => tried),
    caught: sum(found, ({ caught }) => caught),
    argued: sum(found, ({ survivors }) => survivors.filter(({ why }) => why !== null).length),
    ms: sum(found, ({ ms }) => ms),
  }
}

function formatCaught(found: Broken | undefined): string {
  return found === undefined ? '' : `${found.caught}/${found.tried}`
}

const seconds = (ms: number): string => (ms / 1000).toFixed(1)

/** The concern with the most states. */
export function widest({ surfaces }: Row): Walked | undefined {
  return surfaces.bare ?? surfaces.web ?? surfaces.chromium ?? surfaces.terminal ?? surfaces.server
}

/**
 * Headings and cells, without columns that are empty in this run. `timed`: with seconds, which
 * differ from run to run.
 */
export function buildTableCells(
  rows: readonly Row[],
  timed: boolean,
): { readonly head: readonly string[]; readonly body: readonly (readonly string[])[] } {
  const walked = listUsedSurfaces(rows, ({ surfaces }) => surfaces),
    broken = listUsedSurfaces(rows, (row) => row.broken)
  const head = [
    'machine',
    'states',
    'edges',
    'paths',
    ...walked,
    ...broken.map((name) => (name === 'bare' ? 'mutants' : `broken ${name}`)),
    ...(timed ? ['seconds'] : []),
  ]
  const body = rows.map((row) => {
    const all = widest(row)
    const time =
      sum(Object.values(row.surfaces), ({ ms }) => ms) +
      sum(Object.values(row.broken), ({ ms }) => ms)
    return [
      row.machine,
      ...[all?.states, all?.edges, all?.paths].map((number) => String(number ?? '')),
      ...walked.map((name) => share(row.surfaces[name])),
      ...broken.map((name) => formatCaught(row.broken[name])),
      ...(timed ? [seconds(time)] : []),
    ]
  })
  return { head, body }
}

function listUsedSurfaces<T>(
  rows: readonly Row[],
  of: (row: Row) => Readonly<Partial<Record<SurfaceName, T>>>,
): readonly SurfaceName[] {
  return surfaceNames.filter((name) => rows.some((row) => of(row)[name] !== undefined))
}

function share(found: Walked | undefined): string {
  return found === undefined
    ? ''
    : `${found.walked}/${found.edges}${found.failed === 0 ? '' : ` ✗${found.failed}`}`
}

/** For a terminal: columns of equal width, numbers right-aligned. */
export function tableText(rows: readonly Row[]): string {
  const { head, body } = buildTableCells(rows, true)
  const widths = head.map((title, at) =>
    Math.max(title.length, ...body.map((cells) => (cells[at] ?? '').length)),
  )
  return [head, ...body]
    .map((cells) =>
      cells
        .map((cell, at) =>
          at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
