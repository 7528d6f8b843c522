import { withoutStoredKeys } from '@jiaowu/api/entity/definition/stored'
import type { EntityConfig } from '@jiaowu/api/entity/config'
import type { EntityOptions } from '@jiaowu/api/entity/definition/definition'
import type { FileReply } from '@jiaowu/api/endpoint'
import type { Row } from '@jiaowu/api/entity/values'
import type { EntityListPorts } from '@jiaowu/machines/entity-list/ports'
import { listPorts } from '../../../../apps/web/src/ports/list-ports.ts'
import { entityListModels } from '../../../machines/entity-list/model.ts'
import { must, expectSame, expectUnchanged } from '../checks.ts'
import { answers, type CallOf, type Calls, refuses, when } from '../endings.ts'
import { parentTag } from '../fixtures.ts'
import type { Api, RunContext } from '../run-context.ts'
import { type ServerParts, buildServerParts } from '../server-part.ts'
import { plainText, type RowSet } from './rows.ts'

const kinds = {
  multi: {},
  single: { singleSelect: true, multiSelect: false },
  none: { selection: false },
} as const satisfies Readonly<Record<string, Partial<EntityOptions>>>
const usualChoice = { selection: true, singleSelect: false, multiSelect: true }
type Kind = keyof typeof kinds
type Call<Name extends keyof EntityListPorts> = CallOf<EntityListPorts, Name>

/**
 * Lists whose definition changes between visits: with one chosen row, or none; with buttons that
 * act or are refused.
 */
export const serverListKinds: ServerParts = async ({ run, admin, listed }) => {
  const subject = await admin(),
    rows = await listed(),
    own = await createKinds(run, rows)
  const toggling = 'row.toggle, rows.toggle, delete.ask, delete.cancel'
  return buildServerParts({
    model: entityListModels,
    ports: quietListPorts(subject.api),
    subject,
    calls: buildKindCalls(rows, own),
    start: () => ({
      tag: own.tag,
      preset: { queries: { [rows.name]: rows.stem }, sorts: [{ column: rows.name, asc: true }] },
    }),
    samples: {
      'row.toggle': { first: { id: '01' }, second: { id: '02' } },
      'delete.ask': { selection: {} },
      'button.press': { quiet: { code: 'quiet', row: null }, again: { code: 'again', row: null } },
    },
    translate: rows.translate,
    key: ({ value, context: c }) => [
      value,
      c.config?.options.singleSelect,
      c.config?.options.selection,
      c.page?.records.length ?? null,
      c.selected.map(rows.aliasOf).sort(),
      c.pendingDeletion.map(rows.aliasOf),
      c.pressed?.code ?? null,
    ],
    parts: {
      single: { events: toggling, ends: 'loadConfig(single)' },
      plain: { events: toggling, ends: 'loadConfig(none)' },
      buttons: { events: 'button.press, press.confirm', ends: 'loadConfig(multi)' },
    },
  })
}

/** The ports of the list without the shell around it. */
export function quietListPorts(
  api: Api,
  saveFile: (file: FileReply, onProgress?: (bytes: number) => void) => Promise<void> = () =>
    Promise.resolve(),
): EntityListPorts {
  const nothing = () => {}
  return listPorts(
    { api, saveFile, toast: nothing, openTab: nothing, openDrawer: nothing },
    nothing,
  )
}

type Kinds = Awaited<ReturnType<typeof createKinds>>

function buildKindCalls(rows: RowSet, own: Kinds): Calls<EntityListPorts> {
  const { tag, buttons } = own
  const records = rows.aliases
    .slice(0, 10)
    .map((id): Row => ({ id, [rows.name]: rows.called(id), version: 1 }))
  const opens = (kind: Kind): Call<'loadConfig'>[string] =>
    answers(
      { ...rows.config, tag, buttons, options: { ...rows.config.options, ...kinds[kind] } },
      async () => {
        await own.become(kind)
        return {
          check: (config) => [expectSame('tag', tag, config.tag), choiceFaults(kind, config)],
        }
      },
    )
  return {
    loadConfig: { single: opens('single'), none: opens('none'), multi: opens('multi') },
    loadPage: {
      two: answers({ records, total: rows.aliases.length, size: 10, current: 1 }, async () => {
        await rows.ensure()
        return {
          check: (page) => [
            expectSame('total', rows.aliases.length, page.total),
            page.records.map(({ id }) =>
              must(rows.aliasOf(id) !== id, `row ${id} is not of this run`),
            ),
          ],
        }
      }),
    },
    pressButton: pressButton(rows, own),
  }
}

function choiceFaults(kind: Kind, { options }: EntityConfig) {
  const { selection, singleSelect, multiSelect } = options
  return expectSame(
    'what may be chosen',
    { ...usualChoice, ...kinds[kind] },
    { selection, singleSelect, multiSelect },
  )
}

/** A button is pressed on the first row; refused when another user has saved the row before. */
function pressButton(rows: RowSet, own: Kinds): Call<'pressButton'> {
  const first = async () => {
    await rows.ensure()
    return own.read('01')
  }
  const pressed = (refresh: boolean): Call<'pressButton'>[string] =>
    answers({ refresh }, async (asked) => ({
      input: { ...asked, tag: own.tag, row: await first() },
      check: async (answer) => [
        expectSame(own.attr, own.pressed, (await own.read('01'))[own.attr]),
        expectSame('refresh', refresh, answer.refresh),
      ],
    }))
  return {
    ...when(({ code }) => code !== 'again', { quiet: pressed(false) }),
    ...when(({ code }) => code === 'again', { refresh: pressed(true) }),
    refused: refuses(40900, async (asked) => {
      const row = await first()
      const check = await expectUnchanged(
        'version of the row',
        async () => (await own.read('01')).version,
      )
      return {
        input: { ...asked, tag: own.tag, row: { ...row, version: `${row.version}0` } },
        check,
      }
    }),
  }
}

/** A definition over the table of `listed` that this run may change; it shows the same rows. */
async function createKinds(run: RunContext, rows: RowSet) {
  const { api } = await run.helper('admin'),
    tag = `${run.prefix.toUpperCase()}L`,
    attr = plainText(rows),
    pressed = `${run.prefix}pressed`
  const stored = await api.design.load({ params: { tag: parentTag } }),
    first = { ...withoutStoredKeys(stored), tag }
  const values = { [attr]: pressed, version: '{version}' }
  const write = { do: 'request', tag, method: 'update', id: '{id}', values }
  const button = (code: string, ...eventContent: readonly object[]) => ({
    code,
    name: code,
    position: 2,
    eventContent,
  })
  const made = await api.design.create({
    body: {
      ...first,
      buttons: [button('quiet', write), button('again', write, { do: 'refresh' })],
      menu: false,
    },
  })
  const { buttons } = await api.entityData.config({ params: { tag } })
  run.onClose(`the definition ${tag}`, () => api.design.remove({ params: { id: made.id } }))
  return {
    tag,
    attr,
    buttons,
    /** The values that a button writes. */
    pressed,
    /** Changes the definition as a designer would. */
    become: async (kind: Kind) => {
      const now = await api.design.load({ params: { tag } })
      const options = { ...first.options, ...kinds[kind] }
      const body = { ...withoutStoredKeys(now), options, version: now.version }
      await api.design.save({ params: { tag }, body })
    },
    read: (alias: string) => api.entityData.get({ params: { tag, id: rows.idOf(alias) } }),
  }
}
