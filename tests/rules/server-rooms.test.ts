import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')
const read = (name: string) => readFileSync(join(root, name), 'utf8')

/** The rooms of the server as the picture of docs/rules/design.md shows them, the highest first. */
const rooms = [
  ...(/## Rooms of the server[\s\S]*?```\n([\s\S]*?)```/
    .exec(read('docs/rules/design.md'))?.[1]
    ?.matchAll(/^(\w+) {2,}/gm) ?? []),
].map(([, name = '']) => name)

interface Block {
  readonly files: readonly string[]
  readonly rules: {
    readonly 'no-restricted-imports'?: readonly [
      string,
      { readonly patterns: readonly (string | { readonly regex?: string })[] },
    ]
  }
}
/** Lines of comments are no JSON. */
const config = read('.oxlintrc.json').replaceAll(/^\s*\/\/.*$/gm, '')
const { overrides } = JSON.parse(config) as { readonly overrides: readonly Block[] }

/** Lists the imports that lint refuses in files of a room, as regular expressions over the import. */
function refusals(room: string): RegExp[] {
  return overrides
    .filter(({ files }) => files.includes(`apps/server/src/${room}/**`))
    .flatMap(({ rules }) => rules['no-restricted-imports']?.[1].patterns ?? [])
    .flatMap((pattern) =>
      typeof pattern === 'object' && pattern.regex !== undefined ? new RegExp(pattern.regex) : [],
    )
}

describe('the rooms of the server', () => {
  it('are the folders of its source, and no file lies beside them', () => {
    const found = readdirSync(join(root, 'apps/server/src'), { withFileTypes: true })
    expect(found.filter((entry) => !entry.isDirectory()).map(({ name }) => name)).toEqual([])
    expect(found.map(({ name }) => name).toSorted()).toEqual(rooms.toSorted())
  })

  it.each(rooms.slice(1))('lint keeps %s from the rooms above it', (room) => {
    const above = rooms.slice(0, rooms.indexOf(room))
    const open = above.filter(
      (other) =>
        !refusals(room).some((refused) =>
          ['../', '../../', '../../../'].every((up) => refused.test(`${up}${other}/file.ts`)),
        ),
    )
    expect(open).toEqual([])
  })

  it.each(rooms.slice(1))(
    'lint lets %s import from the rooms below it, but http from domains',
    (room) => {
      const domains = ['access', 'entities', 'documents', 'payments', 'students']
      const below = rooms.slice(rooms.indexOf(room) + 1)
      const closed = below.filter((other) =>
        refusals(room).some((refused) => refused.test(`../${other}/file.ts`)),
      )
      expect(closed.toSorted()).toEqual(room === 'http' ? domains.toSorted() : [])
    },
  )
})
