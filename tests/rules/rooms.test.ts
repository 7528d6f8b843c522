// Rooms of the web import in one direction (docs/rules/design.md#layout).
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const source = 'apps/web/src'

/** `features/grid` of `apps/web/src/features/grid/use-grid.ts`; null for files that compose rooms. */
function toRoom(file: string): string | null {
  const [first, second, third] = relative(source, file).split('/')
  if (first === undefined || second === undefined) return null
  return first === 'features' && third !== undefined ? `features/${second}` : first
}

function listSources(): readonly string[] {
  return execFileSync('git', ['ls-files', '-co', '--exclude-standard', source], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file) && existsSync(join(root, file)))
}

/** Rooms that a room imports from, types included. */
function readArrows(): ReadonlyMap<string, ReadonlySet<string>> {
  const arrows = new Map<string, Set<string>>()
  for (const file of listSources()) {
    const from = toRoom(file)
    if (from === null) continue
    const text = readFileSync(join(root, file), 'utf8')
    for (const [, path = ''] of text.matchAll(/(?:from|import\(?)\s*'(\.[^']+)'/g)) {
      const to = toRoom(join(dirname(file), path))
      if (to === null || to === from) continue
      arrows.set(from, (arrows.get(from) ?? new Set()).add(to))
    }
  }
  return arrows
}

/** Room names in a circle; empty without one. */
function findCircle(arrows: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const done = new Set<string>()
  const visit = (room: string, path: readonly string[]): readonly string[] => {
    const at = path.indexOf(room)
    if (at !== -1) return [...path.slice(at), room]
    if (done.has(room)) return []
    for (const next of arrows.get(room) ?? []) {
      const found = visit(next, [...path, room])
      if (found.length > 0) return found
    }
    done.add(room)
    return []
  }
  for (const room of arrows.keys()) {
    const found = visit(room, [])
    if (found.length > 0) return found
  }
  return []
}

describe('rooms of the web', () => {
  it('import in one direction', () => {
    const arrows = readArrows()
    expect(arrows.get('features/entity-list')).toContain('features/grid')
    expect(findCircle(arrows)).toEqual([])
  })
  it('are found in a circle of three', () => {
    const arrows = new Map([
      ['a', new Set(['b'])],
      ['b', new Set(['c'])],
      ['c', new Set(['a'])],
    ])
    expect(findCircle(arrows)).toEqual(['a', 'b', 'c', 'a'])
  })
})
