import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { declaredTransitions } from '@jiaowu/path-tests'
import { explore } from '../../machines/spec.ts'
import { type MachineName, models } from '../../machines/registry.ts'
import { documentName } from './document.ts'
import type { Broken, Row, Walked } from './table.ts'
import { type SurfaceName, surfaceNames } from '../walk-part.ts'

/** The figures of the last kept runs, by machine and surface. */
export type Kept = Readonly<
  Partial<
    Record<
      MachineName,
      {
        readonly surfaces: Readonly<
          Partial<Record<SurfaceName, Pick<Walked, 'edges' | 'walked' | 'paths' | 'steps'>>>
        >
        readonly broken: Readonly<Partial<Record<SurfaceName, Omit<Broken, 'ms'>>>>
      }
    >
  >
>
export const machinesFolder = join(import.meta.dirname, '../../../docs/machines')
export const keptFile = 'walked.json'

export function readKept(): Kept {
  return JSON.parse(readFileSync(join(machinesFolder, keptFile), 'utf8')) as Kept
}

/**
 * Merges a run into the kept figures; machines and surfaces that it did not walk stay, and so does a
 * walk of more edges of the same graph, unless the new one failed.
 */
export function withRows(kept: Kept, rows: readonly Row[]): Kept {
  const next: Record<string, Kept[MachineName]> = { ...kept }
  for (const { machine, surfaces, broken } of rows) {
    const plain = Object.fromEntries(
      Object.entries(surfaces)
        .filter(
          ([name, walk]) => !isPartialWalk(walk, kept[machine]?.surfaces[name as SurfaceName]),
        )
        .map(([name, { edges, walked, paths, steps }]) => [name, { edges, walked, paths, steps }]),
    )
    const faults = Object.fromEntries(
      Object.entries(broken).map(([name, { tried, caught, argued }]) => [
        name,
        { tried, caught, argued },
      ]),
    )
    next[machine] = {
      surfaces: { ...kept[machine]?.surfaces, ...plain },
      broken: { ...kept[machine]?.broken, ...faults },
    }
  }
  return next as Kept
}

function isPartialWalk(
  { edges, walked, failed }: Walked,
  fuller: Pick<Walked, 'edges' | 'walked'> | undefined,
): boolean {
  return failed === 0 && edges === fuller?.edges && walked < fuller.walked
}

const names = Object.keys(models) as MachineName[]

/** docs/machines/README.md: one line per machine. */
export function tableDocument(kept: Kept): string {
  const head = [
    'machine',
    'states',
    'edges',
    'transitions',
    'paths',
    ...surfaceNames,
    'mutants noticed',
    'broken web screens noticed',
    'broken terminal screens noticed',
  ]
  const lines = [
    head,
    head.map((_, at) => (at === 0 ? '---' : '---:')),
    ...names.map((name) => buildTableRow(name, kept)),
  ].map((cells) => `| ${cells.join(' | ')} |`)
  return [
    '# The machines',
    '',
    'States, edges and transitions are of the machines as they are (`node tests/paths/documents/write-documents.ts`; a test fails when they are stale). What each surface walked, in edges, and how many broken',
    `variants were noticed is of the last runs that were kept: \`npm run paths -- --mutants --keep\`, with \`--surface chromium,server\` besides, writes \`${keptFile}\`. Where fewer edges than all are walked on the terminal,`,
    'every transition that its keys reach is among them; `--edges` walks the rest. Whatever was not noticed is argued for, beside the test of its screen.',
    '',
    ...lines,
    '',
  ].join('\n')
}

function buildTableRow(name: MachineName, kept: Kept): readonly (string | number)[] {
  const { parts, limit = 600 } = models[name]
  const specs = Object.values(parts),
    graphs = specs.map((spec) => explore(spec, limit))
  const { surfaces = {}, broken = {} } = kept[name] ?? {}
  const sum = (of: (graph: (typeof graphs)[number]) => number) =>
    graphs.reduce((all, graph) => all + of(graph), 0)
  return [
    `[${name}](${documentName(name)})`,
    sum(({ nodes }) => nodes.length),
    sum(({ edges }) => edges.length),
    specs[0] === undefined ? 0 : declaredTransitions(specs[0].machine).size,
    surfaces.bare?.paths ?? '',
    ...surfaceNames.map((surface) => {
      const found = surfaces[surface]
      return found === undefined ? '' : `${found.walked} of ${found.edges}`
    }),
    ...(['bare', 'web', 'terminal'] as const).map((surface) => {
      const found = broken[surface]
      return found === undefined ? '' : `${found.caught} of ${found.tried}`
    }),
  ]
}
