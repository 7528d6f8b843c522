// `node scripts/settings-page.ts`: writes docs/operations/settings.md anew. Names, defaults and what is accepted come
// from the schema of the settings; what a setting is for stays as people wrote it there.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { environment } from '../apps/server/src/platform/settings/settings.ts'

const file = join(import.meta.dirname, '..', 'docs', 'operations', 'settings.md')

/** The parts of a valibot schema that are read. */
interface Shape {
  readonly wrapped?: Shape
  readonly default?: unknown
  readonly options?: readonly string[]
  readonly message?: unknown
  readonly pipe?: readonly { readonly message?: unknown }[]
}

if (import.meta.main) writeFileSync(file, buildSettingsPage(readFileSync(file, 'utf8')))

/** The page with one row for each setting, in the order of the page; new ones are added to its last table. */
export function buildSettingsPage(page: string): string {
  const shapes = environment.entries as unknown as Readonly<Record<string, Shape>>
  const left = new Set(Object.keys(shapes))
  const lines = page
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      const [, name] = /^\| `([A-Z][A-Z0-9_]*)` \|/.exec(line) ?? []
      if (name === undefined) return [line]
      const shape = shapes[name]
      if (shape === undefined || !left.delete(name)) return []
      return [buildRow(name, shape, line.split(' | ').slice(3).join(' | ').replace(/ \|$/, ''))]
    })
  const added = [...left].map((name) => buildRow(name, shapes[name] ?? {}, ''))
  return `${[...lines, ...added].join('\n')}\n`
}

/** Names of settings that the page says nothing about. */
export function findUnexplained(page: string): string[] {
  return [...page.matchAll(/^\| `([A-Z][A-Z0-9_]*)` \|.* \|  \|$/gm)].map(([, name = '']) => name)
}

function buildRow(name: string, shape: Shape, meaning: string): string {
  const fallback = shape.default
  const shown = fallback === undefined || fallback === '' ? '' : `\`${String(fallback)}\``
  return `| \`${name}\` | ${shown} | ${describeAccepted(name, shape.wrapped ?? shape)} | ${meaning.trim()} |`
}

function describeAccepted(name: string, { options, message, pipe = [] }: Shape): string {
  if (options !== undefined) return options.map((option) => `\`${option}\``).join(', ')
  const said = [message, ...pipe.map((part) => part.message)].findLast(
    (each) => typeof each === 'string' && each.startsWith(`${name} must `),
  ) as string | undefined
  return (said ?? 'text').replace(`${name} must be `, '').replace(`${name} must `, '')
}
