// @vitest-environment happy-dom
// Every control that chooses from a list that is searched (docs/spec/1-entity-console.md §9): Enter, presses
// and input methods while the search is under way.
import { readdirSync, readFileSync } from 'node:fs'
import type { DictItem } from '@jiaowu/api/entity/values'
import type { Field } from '@jiaowu/api/entity/config'
import { findKind } from '@jiaowu/api/fields/kinds'
import { limits } from '@jiaowu/api/limits'
import { type UiType, uiTypes } from '@jiaowu/api/entity/enums'
import { act } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { PickerControl } from '../../apps/web/src/fields/choices/choice-controls.tsx'
import { findFieldSurface } from '../../apps/web/src/fields/index.tsx'
import { changeSettings } from '../../apps/web/src/app/settings.ts'
import { formConfig } from '../machines/entity-form/model.ts'
import { zh } from '../surfaces/sentences.ts'
import { page } from '../surfaces/web/dom/by-role.ts'
import { enter } from '../surfaces/web/dom/dom.ts'
import { wrapData, heldFetch } from '../surfaces/web/http/held-fetch.ts'
import { inConsole } from '../surfaces/web/screen.tsx'

const people = (...names: readonly string[]): DictItem[] =>
  names.map((name, at) => ({ id: `${name}${at}`, name }))
const everyone = people('丁伟翔', '于佳', '万里')
const wanted = people('韩梦', '韩梦琪')

/** Kinds whose choices may come from the server. */
const kinds = uiTypes.filter((uiType) => findKind(uiType).family === 'choice')

let root: Root
let chosen: unknown
let fetched: ReturnType<typeof heldFetch>

beforeEach(() => {
  changeSettings({ locale: 'zh-CN' })
  chosen = undefined
  vi.useFakeTimers()
  Reflect.set(globalThis, 'IS_REACT_ACT_ENVIRONMENT', true)
  root = createRoot(document.body.appendChild(document.createElement('div')))
})
afterEach(() => {
  act(() => root.unmount())
  document.body.replaceChildren()
  Reflect.set(globalThis, 'IS_REACT_ACT_ENVIRONMENT', false)
  vi.useRealTimers()
})

const controls = ['form', 'query', 'cell of the grid'] as const

function show(uiType: UiType, control: (typeof controls)[number]): void {
  const field: Field = {
    ...(formConfig.fields.find(({ attrName }) => attrName === 'major') as Field),
    id: 'f',
    uiType,
    uiLabel: '学生',
    queryType: 'equal',
    options: {},
  }
  const common = {
    tag: 'A',
    field,
    id: 'picker',
    value: null,
    onChange: (value: unknown) => {
      chosen = value
    },
  }
  const { Control, Query } = findFieldSurface(uiType)
  const Edit = control === 'form' ? Control : PickerControl
  fetched = heldFetch(
    ({ path, body }) => (path.endsWith('/data/dicts/page') ? { port: 'find', input: body } : null),
    () => wrapData([]),
  )
  const element =
    control === 'query' ? (
      <Query {...common} queries={{}} nameOf={() => undefined} />
    ) : (
      <Edit
        {...common}
        disabled={false}
        invalid={false}
        describedBy={undefined}
        values={{}}
        rowId={null}
        onBlur={() => {}}
      />
    )
  act(() => root.render(inConsole(fetched, element)))
}

const wait = (milliseconds: number) =>
  act(async () => void (await vi.advanceTimersByTimeAsync(milliseconds)))
const search = () => page.select(zh('common.search')).needed as HTMLElement as HTMLInputElement

function key(name: string, more: KeyboardEventInit = {}): void {
  const init = { key: name, bubbles: true, cancelable: true, ...more }
  act(() => void search().dispatchEvent(new KeyboardEvent('keydown', init)))
}

async function settleFind(uiType: UiType, items: readonly DictItem[]): Promise<void> {
  const isWhole = findKind(uiType).tree
  fetched.settle('find', () =>
    wrapData(
      isWhole ? items.map((item) => ({ ...item, pid: '0' })) : { records: items, total: 30 },
    ),
  )
  await wait(5)
}

async function openPicker(uiType: UiType): Promise<void> {
  act(() => page.select('学生').needed.click())
  await wait(1)
  await settleFind(uiType, everyone)
}

async function type(words: string): Promise<void> {
  act(() => void enter(search(), words))
}

const pause = () => wait(limits.lookupDebounce + 20)
const findOption = (name: string) =>
  [...document.querySelectorAll('[role=option],[role=treeitem]')].find(({ textContent }) =>
    textContent?.includes(name),
  ) as HTMLElement | undefined
const listChosenNames = () =>
  Array.isArray(chosen) ? (chosen as DictItem[]).map(({ name }) => name) : chosen

describe.each(controls)('%s', (control) => {
  describe.each(kinds)('of the kind %s', (uiType) => {
    it('chooses the first line of the answer that Enter waits for', async () => {
      show(uiType, control)
      await openPicker(uiType)
      await type('韩梦')
      key('Enter')
      expect(chosen).toBeUndefined()
      await pause()
      key('Enter')
      expect(chosen).toBeUndefined()
      await settleFind(uiType, wanted)
      expect(listChosenNames()).toEqual(['韩梦'])
    })

    it('takes no press, arrow or Enter of an input method on what is being replaced', async () => {
      show(uiType, control)
      await openPicker(uiType)
      await type('韩梦')
      const stale = findOption('丁伟翔')
      act(() => stale?.click())
      key('ArrowDown')
      key('Enter', { isComposing: true })
      key('Enter', { keyCode: 229 })
      await pause()
      act(() => stale?.click())
      await settleFind(uiType, wanted)
      expect(chosen).toBeUndefined()
      act(() => stale?.click())
      expect(chosen).toBeUndefined()
      act(() => findOption('韩梦琪')?.click())
      expect(listChosenNames()).toEqual(['韩梦琪'])
    })

    it('chooses nothing where the search finds nothing, fails or goes on', async () => {
      show(uiType, control)
      await openPicker(uiType)
      await type('韩梦')
      key('Enter')
      await pause()
      await settleFind(uiType, [])
      expect(chosen).toBeUndefined()
      await type('韩')
      key('Enter')
      await type('韩梦')
      await pause()
      await settleFind(uiType, wanted)
      expect(chosen).toBeUndefined()
      await type('韩')
      key('Enter')
      await pause()
      fetched.settle('find', () => null)
      await wait(5)
      expect(chosen).toBeUndefined()
    })
  })
})

it('no other control of the console or the terminal asks for choices', () => {
  const asking = sources('apps/web/src', 'apps/cli/src').filter(([, text]) =>
    /entityData\.lookup\(|createActor\(\s*lookupMachine/.test(text),
  )
  expect(asking.map(([name]) => name).toSorted()).toEqual(asked)
})

/** The two users of the lookup machine, the ports of the terminal, and names in arguments. */
const asked = [
  'apps/cli/src/entities/entity-query.ts',
  'apps/cli/src/fields/choice-prompt.tsx',
  'apps/cli/src/screens/entry/open-entry.tsx',
  'apps/cli/src/screens/open-form.tsx',
  'apps/web/src/fields/choices/use-lookup.ts',
]

function sources(...folders: readonly string[]): (readonly [string, string])[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !/\.test\./.test(name))
      .map((name) => [`${folder}/${name}`, readFileSync(`${folder}/${name}`, 'utf8')] as const),
  )
}
