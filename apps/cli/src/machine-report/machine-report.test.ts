import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { drawChart } from './chart.ts'
import { formatFailures } from './failures.ts'
import { buildFlowMachine } from './flow-book.ts'
import { describePath } from './page.ts'
import { type BookMachine, parsePathBook, type PathBook, type Sentence } from './path-book.ts'
import { groupFailures, listFailedPaths, type RunResult } from './run-result.ts'
import { writeSite } from './write-site.ts'

const inBoth = (zh: string, en: string): Sentence => ({ zh, en })
const screen = (states: readonly string[], taken: readonly string[], see: readonly Sentence[]) => ({
  states: [...states],
  taken: [...taken],
  see: [...see],
  can: [inBoth('按“开”', 'Press “On”')],
})
const lamp: BookMachine = {
  id: 'lamp',
  name: inBoth('灯', 'The lamp'),
  place: inBoth('房间', 'The room'),
  states: [
    { id: 'lamp.off', parent: null, type: 'atomic', initial: true, name: inBoth('关着', 'off') },
    { id: 'lamp.on', parent: null, type: 'compound', initial: false, name: inBoth('开着', 'on') },
    {
      id: 'lamp.on.low',
      parent: 'lamp.on',
      type: 'atomic',
      initial: true,
      name: inBoth('暗', 'low'),
    },
  ],
  transitions: [
    { id: 'press', from: 'lamp.off', to: ['lamp.on.low'], name: inBoth('按', 'press') },
    { id: 'out', from: 'lamp.on', to: ['lamp.off'], name: inBoth('灭', 'out') },
  ],
  paths: [
    {
      id: 'lamp-1',
      part: 'lamp',
      surface: 'web',
      start: inBoth('进房间', 'Enter the room'),
      prepare: [],
      begin: screen(['lamp.off'], [], [inBoth('<黑>', '<dark>')]),
      again: 'start:start | user:press(hard) | time:out runs out',
      steps: [
        {
          ...screen(['lamp.on', 'lamp.on.low'], ['press'], [inBoth('亮', 'light')]),
          kind: 'person',
          do: inBoth('按“开”', 'Press “On”'),
          prepare: [inBoth('插上电', 'plug it in')],
          hurry: false,
        },
        {
          ...screen(['lamp.off'], ['out'], [inBoth('<黑>', '<dark>')]),
          kind: 'time',
          do: inBoth('等一分钟', 'Wait a minute'),
          prepare: [],
          hurry: false,
        },
      ],
    },
  ],
}
const book: PathBook = { version: 1, machines: [lamp] }

const failure = (surface: string, screenSays: string): RunResult['walks'][number] => ({
  machine: 'lamp',
  surface,
  part: 'lamp',
  paths: 3,
  steps: 9,
  pictures: [],
  failures: [
    `lamp edges-1 failed at step 1 of 2\n✗ 1. 👆 press(hard)\n    says: model "亮", screen "${screenSays}"\n    offers: model "press(hard),off(default)", screen ""\nreproduce: MBT_PATH='start:start | user:press(hard)'`,
  ],
})
const run: RunResult = { walks: [failure('web', '暗'), failure('terminal', '')] }
const green: RunResult = { walks: [{ ...failure('web', ''), failures: [] }] }

const folder = mkdtempSync(join(tmpdir(), 'machine-report-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the pages', () => {
  test('stand alone, in both languages, with every path as a recipe', async () => {
    const options = { locale: 'en', result: null, against: null, pictures: null } as const
    await writeSite(folder, book, options)
    const page = readFileSync(join(folder, 'lamp', 'index.html'), 'utf8')
    expect(page).not.toMatch(/(?:src|href)="https?:/)
    for (const text of ['按“开”', 'Press “On”', '插上电', 'Wait a minute', '&lt;dark&gt;'])
      expect(page).toContain(text)
    expect(page).not.toContain('press(hard)')
    expect(readFileSync(join(folder, 'index.html'), 'utf8')).toContain('href="lamp/index.html"')
  })

  test('come with paths.json, which can be read again', () => {
    expect(parsePathBook(readFileSync(join(folder, 'paths.json'), 'utf8'))).toEqual(book)
    expect(() => parsePathBook('{"version":2}')).toThrow('Expected 1')
  })

  test('name a path by the states that it comes through', () => {
    expect(describePath(lamp, lamp.paths[0] as BookMachine['paths'][number])).toEqual(
      inBoth('暗', 'low'),
    )
  })
})

test('the chart has every state, and one arrow for each two that are connected', () => {
  const svg = drawChart(lamp)
  expect(svg.match(/data-state=/g)).toHaveLength(3)
  expect(svg.match(/data-taken=/g)).toHaveLength(2)
  expect(svg).not.toContain('NaN')
})

describe('failures of a walk', () => {
  test('of one cause are one group, whatever surface showed them', () => {
    const groups = groupFailures(listFailedPaths(run))
    expect(groups.map(({ failures }) => failures.map(({ surface }) => surface))).toEqual([
      ['web', 'terminal'],
    ])
  })

  test('are told in the words of the recipes', () => {
    const shown = formatFailures(book, { result: run, against: null }).replace(
      /<pre>.*?<\/pre>/gs,
      '',
    )
    expect(shown).toContain('按“开”')
    expect(shown).not.toMatch(/offers|press\(hard\)/)
  })

  test.each([
    [run, green, 'new'],
    [run, run, 'still failing'],
    [green, run, 'mended'],
  ])('are compared with an earlier run %#', (result, against, word) => {
    expect(formatFailures(book, { result, against })).toContain(`>${word}<`)
  })
})

test('a flow is a machine with a recipe for each way through it', () => {
  const name = (zh: string, en: string) => ({ zh, en })
  const machine = buildFlowMachine({
    tag: 'LEAVE',
    name: inBoth('请假', 'Leave'),
    flow: {
      field: 'state',
      initial: 'draft',
      states: {
        draft: {
          name: name('草稿', 'Draft'),
          on: { SEND: { name: name('提交', 'Send'), target: 'done', who: [{ applicant: true }] } },
        },
        done: { name: name('结束', 'Done'), final: true },
      },
      rules: [],
    },
  })
  expect(machine.states.map(({ id, initial }) => [id, initial])).toEqual([
    ['draft', true],
    ['done', false],
  ])
  expect(machine.paths[0]?.steps[0]?.do.zh).toContain('按“提交”')
  expect(drawChart(machine)).toContain('草稿')
})
