import {
  definitionOf,
  type EntityConfig,
  type EntityOptions,
  type Page,
  type Row,
} from '@jiaowu/api'
import { listPorts } from '../../../../apps/web/src/ports/list-ports.ts'
import type { EventObject } from 'xstate'
import type { Outcome } from '@jiaowu/path-tests'
import type { Spec } from '../../../machines/spec.ts'
import { entityListModels } from '../../../machines/entity-list/model.ts'
import { plainText, type RowSet } from './rows.ts'
import { no, ok, refusedAs, same, type Scenes, type Stage } from '../server-driver.ts'
import type { Subject } from '../subject.ts'
import { parentTag, type ServerPart, type ServerParts } from '../server-part.ts'
import type { RunContext } from '../run-context.ts'

const outputOf = <T>(answer: Outcome): T => (answer as { output: T }).output
const kinds = {
  multi: {},
  single: { singleSelect: true, multiSelect: false },
  none: { selection: false },
} as const satisfies Readonly<Record<string, Partial<EntityOptions>>>
const usualChoice = { selection: true, singleSelect: false, multiSelect: true }
type Kind = keyof typeof kinds

/**
 * Lists whose definition changes between visits: with one chosen row, or none; with buttons that
 * act or are refused.
 */
export const serverListKinds: ServerParts = async ({ run, admin, listed }) => {
  const [subject, rows] = [await admin(), await listed()]
  const kit: Kit = { subject, rows, own: await createKinds(run, rows), prefix: run.prefix }
  const toggling = {
    'row.toggle': { first: { id: '01' }, second: { id: '02' } },
    'rows.toggle': { bare: {} },
    'delete.ask': { selection: {} },
    'delete.cancel': { bare: {} },
  }
  const pressing = {
    'button.press': { quiet: { code: 'quiet', row: null }, again: { code: 'again', row: null } },
    'press.confirm': { bare: {} },
  }
  return {
    single: partOf(kit, toggling, 'single'),
    plain: partOf(kit, toggling, 'none'),
    buttons: partOf(kit, pressing, 'multi'),
  }
}

interface Kit {
  readonly subject: Subject
  readonly rows: RowSet
  readonly own: Awaited<ReturnType<typeof createKinds>>
  readonly prefix: string
}

function partOf(kit: Kit, events: Spec<unknown>['events'], opens: Kind): ServerPart {
  const scenes = scenesOf(kit)
  return {
    spec: specOf(kit, events, opens),
    scenes,
    stage: (): Promise<Stage> =>
      Promise.resolve({
        ports: listPorts(
          {
            api: kit.subject.api,
            saveFile: () => Promise.resolve(),
            toast: () => {},
            openTab: () => {},
            openDrawer: () => {},
          },
          () => {},
        ) as never,
        scenes,
        translate: (event: EventObject): EventObject =>
          'id' in event && typeof event.id === 'string'
            ? Object.assign({}, event, { id: kit.rows.idOf(event.id) })
            : event,
      }),
  }
}

function specOf({ rows, own }: Kit, events: Spec<unknown>['events'], opens: Kind): Spec<unknown> {
  const base = Object.values(entityListModels.parts)[0] as Spec<unknown>
  const records = rows.aliases
    .slice(0, 10)
    .map((id): Row => ({ id, [rows.name]: rows.called(id), version: 1 }))
  const options = { ...rows.config.options, ...kinds[opens] }
  return {
    ...base,
    input: () => ({
      tag: own.tag,
      preset: { queries: { [rows.name]: rows.stem }, sorts: [{ column: rows.name, asc: true }] },
    }),
    unhandled: [],
    eventsIn: () => ({}),
    events,
    outcomes: {
      loadConfig: { [opens]: ok({ ...rows.config, tag: own.tag, options, buttons: own.buttons }) },
      loadPage: { two: ok({ records, total: rows.aliases.length, size: 10, current: 1 }) },
      removeRows: {},
      exportRows: {},
      pressButton: (({ code }: { readonly code: string }) => ({
        [code === 'again' ? 'refresh' : 'quiet']: ok({ refresh: code === 'again' }),
        refused: no('refused', 40900),
      })) as never,
    } as Spec<unknown>['outcomes'],
    key: ({ value, context: c }) =>
      JSON.stringify([
        value,
        c.config?.options.singleSelect,
        c.config?.options.selection,
        c.page?.records.length ?? null,
        c.selected.map(rows.aliasOf).sort(),
        c.pendingDeletion.map(rows.aliasOf),
        c.pressed?.code ?? null,
      ]),
  }
}

function scenesOf(kit: Kit): Scenes {
  return {
    loadConfig: {
      single: opened(kit, 'single'),
      none: opened(kit, 'none'),
      multi: opened(kit, 'multi'),
    },
    loadPage: { two: shown(kit) },
    pressButton: {
      quiet: pressed(kit, false),
      refresh: pressed(kit, false),
      refused: pressed(kit, true),
    },
  }
}

function opened({ subject, own }: Kit, kind: Kind) {
  return subject.usual(async () => {
    await own.become(kind)
    return {
      check: (answer) => {
        const { tag, options } = outputOf<EntityConfig>(answer)
        const { selection, singleSelect, multiSelect } = options
        return [
          ...same('tag', own.tag, tag),
          ...same(
            'what may be chosen',
            { ...usualChoice, ...kinds[kind] },
            { selection, singleSelect, multiSelect },
          ),
        ]
      },
    }
  })
}

function shown({ subject, rows }: Kit) {
  return subject.usual(async () => {
    await rows.ensure()
    return {
      check: (answer) => {
        const { records, total } = outputOf<Page>(answer)
        return [
          ...same('total', rows.aliases.length, total),
          ...records.flatMap((row) =>
            rows.aliasOf(row.id) === row.id ? [`row ${row.id} is not of this run`] : [],
          ),
        ]
      },
    }
  })
}

/** A button is pressed on the first row; refused when another user has saved the row before. */
function pressed({ subject, rows, own, prefix }: Kit, isRefused: boolean) {
  return subject.usual(async (asked: { readonly code: string }) => {
    await rows.ensure()
    const row = await own.read('01')
    const before = row.version
    const version = isRefused ? `${before ?? ''}0` : before
    return {
      input: {
        ...asked,
        tag: own.tag,
        row: { ...row, ...(version === undefined ? {} : { version }) },
      },
      check: async (answer) => {
        const now = await own.read('01')
        if (isRefused)
          return [
            ...refusedAs(answer, 'refused', 40900),
            ...same('version of the row', before, now.version),
          ]
        const { refresh } = outputOf<{ refresh: boolean }>(answer)
        return [
          ...same(own.attr, `${prefix}pressed`, now[own.attr]),
          ...same('refresh', asked.code === 'again', refresh),
        ]
      },
    }
  })
}

/** A definition over the table of `listed` that this run may change; it shows the same rows. */
async function createKinds(run: RunContext, rows: RowSet) {
  const { api } = await run.helper('admin'),
    tag = `${run.prefix.toUpperCase()}L`,
    attr = plainText(rows)
  const stored = await api.design.load({ params: { tag: parentTag } }),
    first = { ...definitionOf(stored), tag }
  const request = (method: 'update' | 'remove', id: string) => ({
    do: 'request',
    tag,
    method,
    id,
    ...(method === 'update'
      ? { values: { [attr]: `${run.prefix}pressed`, version: '{version}' } }
      : {}),
  })
  const button = (code: string, eventContent: readonly object[]) => ({
    code,
    name: code,
    position: 2,
    eventContent,
  })
  const made = await api.design.create({
    body: {
      ...first,
      buttons: [
        button('quiet', [request('update', '{id}')]),
        button('again', [request('update', '{id}'), { do: 'refresh' }]),
      ],
      menu: false,
    },
  })
  const { buttons } = await api.entityData.config({ params: { tag } })
  run.onClose(`the definition ${tag}`, () => api.design.remove({ params: { id: made.id } }))
  return {
    tag,
    attr,
    buttons,
    /** Changes the definition as a designer would. */
    become: async (kind: Kind) => {
      const now = await api.design.load({ params: { tag } })
      await api.design.save({
        params: { tag },
        body: {
          ...definitionOf(now),
          options: { ...first.options, ...kinds[kind] },
          version: now.version,
        },
      })
    },
    read: (alias: string) => api.entityData.get({ params: { tag, id: rows.idOf(alias) } }),
  }
}
