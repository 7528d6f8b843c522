// Text for people is cut by `cutText`: a cut by UTF-16 units leaves half an emoji or half a rare character.
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseAst } from 'vite'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
/** Names of texts that people wrote or read, and calls that yield such a text. */
const human =
  /^(text|name|word|note|message|label|title|phrase|comment|reason|account|stem|rule|typed)$/i
const yielding = /^(t|trim|join|shown\w*|guardText|valueText|cellText|textAt|textOf|nameOf)$/

/** Cuts of digits, and of long cells and samples of a file, which are not shown to people. */
const allowed = [
  'apps/server/src/entities/sheets/read/csv-rows.ts: text.slice(0, 20_000)',
  'apps/server/src/entities/sheets/read/csv-rows.ts: text.slice(0, 40_000)',
  'apps/server/src/entities/sheets/write/serial.ts: text.slice(0, 10)',
  'packages/api/src/fields/dates.ts: text.slice(0, 2)',
]

it('texts for people are cut with cutText', async () => {
  const found: string[] = []
  let files = 0
  for await (const file of glob('{apps,packages}/*/src/**/*.{ts,tsx}', { cwd: root })) {
    if (/\.test\.tsx?$/.test(file) || file === 'packages/api/src/cut-text.ts') continue
    files += 1
    const source = readFileSync(resolve(root, file), 'utf8')
    if (!/\.(slice|substring|substr)\(\s*0,/.test(source)) continue
    const program = parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' })
    found.push(...cutsIn(program, source).map((text) => `${file}: ${text}`))
  }
  expect(files).toBeGreaterThan(800)
  expect(found.toSorted()).toEqual(allowed)
})

it('finds such a cut', () => {
  const source = `name.slice(0, 60); row.label.substring(0, most); a.trim().slice(0, 500); [...text].slice(0, 5)
    ids.slice(0, 3); text.slice(0, at); day.slice(0, 10); text.slice(3); shownText(f, v)?.slice(0, 9)
    cellText(c).trim().slice(0, shown.characters); t(locale, 'a').slice(0, options.maxLength)
    word.slice(0, found.index)`
  expect(cutsIn(parseAst(source, { lang: 'ts' }), source)).toEqual([
    'name.slice(0, 60)',
    'row.label.substring(0, most)',
    'a.trim().slice(0, 500)',
    '[...text].slice(0, 5)',
    'shownText(f, v)?.slice(0, 9)',
    'cellText(c).trim().slice(0, shown.characters)',
    "t(locale, 'a').slice(0, options.maxLength)",
  ])
})

type Node = Readonly<Record<string, unknown>> & { readonly type: string }

/** The sources of `text.slice(0, most)` where `text` is for people and `most` is a length. */
function cutsIn(node: unknown, source: string): string[] {
  if (typeof node !== 'object' || node === null) return []
  const own = isCut(node as Node)
    ? [source.slice((node as Node)['start'] as number, (node as Node)['end'] as number)]
    : []
  return [...own, ...Object.values(node).flatMap((child) => cutsIn(child, source))]
}

function isCut(node: Node): boolean {
  if (node.type !== 'CallExpression') return false
  const callee = node['callee'] as Node
  const [from, most] = node['arguments'] as readonly Node[]
  if (callee.type !== 'MemberExpression' || most === undefined || from?.['value'] !== 0)
    return false
  const method = (callee['property'] as Node)['name']
  return (
    /^(slice|substring|substr)$/.test(String(method)) &&
    isLength(most) &&
    isHuman(callee['object'] as Node)
  )
}

/** A number, or a name of a limit; not the place of a character that was searched for. */
function isLength(most: Node): boolean {
  const name = most.type === 'MemberExpression' ? (most['property'] as Node)['name'] : most['name']
  return (
    most.type === 'Literal' ||
    ((most.type === 'Identifier' || most.type === 'MemberExpression') &&
      /^(max|most|limit|characters|\w+Length$)/i.test(String(name)))
  )
}

function isHuman(receiver: Node): boolean {
  if (receiver.type === 'Identifier') return human.test(String(receiver['name']))
  if (receiver.type === 'MemberExpression')
    return human.test(String((receiver['property'] as Node)['name']))
  if (receiver.type === 'ArrayExpression')
    return (receiver['elements'] as readonly Node[]).some(
      (each) => each.type === 'SpreadElement' && isHuman(each['argument'] as Node),
    )
  if (receiver.type !== 'CallExpression') return false
  const callee = receiver['callee'] as Node
  const name =
    callee.type === 'MemberExpression' ? (callee['property'] as Node)['name'] : callee['name']
  return yielding.test(String(name))
}
