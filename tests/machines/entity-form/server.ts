import type { Row, Values } from '@jiaowu/api'
import { entityFormApiPorts, type EntityFormInput, type SaveInput } from '@jiaowu/machines'
import type { Outcome } from '@jiaowu/path-tests'
import type { Spec } from '../spec.ts'
import { entityFormModels } from './model.ts'
import { newValues, plainText, type RowSet } from '../../surfaces/server/rows/rows.ts'
import {
  no,
  ok,
  problemIn,
  refusedAs,
  refuses,
  same,
  type Scene,
  type Scenes,
  type Stage,
} from '../../surfaces/server/server-driver.ts'
import type { ServerParts } from '../../surfaces/server/server-part.ts'
import type { Subject } from '../../surfaces/server/subject.ts'
import type { RunContext } from '../../surfaces/server/run-context.ts'

const alias = '01'
const rowOf = (answer: Outcome): Row => (answer as { output: Row }).output
const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === ''
interface Names {
  readonly old: string
  readonly mine: string
  readonly theirs: string
}

export const serverEntityForm: ServerParts = async ({ run, registrar, listed }) => {
  const subject = await registrar(),
    rows = await listed()
  const { tag, name, config } = rows
  const names: Names = {
    old: rows.called(alias),
    mine: `${rows.stem}mine`,
    theirs: `${rows.stem}theirs`,
  }
  const scenes = await scenesOf(run, subject, rows, names)
  const { api } = await run.helper('admin')
  const defaults = await newValues(api, config, `${rows.stem}new`)
  await rows.remove([alias]) // an earlier path may have changed it
  await rows.ensure()
  /** The record as another user filled it in before the form is opened. */
  const fill = async (attr: string) => {
    const params = { tag, id: rows.idOf(alias) }
    await api.entityData.update({
      params,
      body: { [attr]: names.old, version: (await api.entityData.get({ params })).version },
    })
  }
  await fill(plainText(rows))
  const sample = await api.entityData.get({ params: { tag, id: rows.idOf(alias) } })
  const classOf = (value: unknown): string => {
    const text = String(value ?? '')
    return text === names.old ? 'old' : text.startsWith(names.theirs) ? 'theirs' : text
  }
  const base = Object.values(entityFormModels.parts)[0] as Spec<unknown>
  const part = (
    start: EntityFormInput | (() => EntityFormInput),
    changes: readonly ('mine' | 'empty')[],
    saves: readonly string[],
    loads: readonly string[] = ['loaded'],
    attr = name,
  ) => {
    const spec: Spec<unknown> = {
      ...base,
      input: typeof start === 'function' ? start : () => start,
      unhandled: [],
      eventsIn: () => ({}),
      events: eventsOf(names, changes, attr),
      outcomes: outcomesOf(rows, names, sample, attr, loads, saves),
      key: (s) =>
        JSON.stringify([
          s.value,
          classOf(s.context.values[attr]),
          classOf(s.context.original[attr]),
          Object.keys(s.context.faults),
          s.context.problem?.kind ?? null,
          s.context.problem?.code === 404,
          s.context.stale?.choices[attr] ?? null,
        ]),
    }
    const stage = async (): Promise<Stage> => {
      await rows.remove([alias])
      await rows.ensure()
      if (attr !== name) await fill(attr)
      return { ports: entityFormApiPorts(subject.api) as never, scenes }
    }
    return { spec, scenes, stage }
  }
  const edit = () => ({ tag, id: rows.idOf(alias), person: null })
  return {
    edit: part(
      edit,
      ['mine', 'empty'],
      ['saved', 'invalid', 'gone', 'forbidden', 'ended'],
      ['loaded', 'gone', 'ended'],
    ),
    stale: part(edit, ['mine'], ['saved', 'stale']),
    emptied: part(edit, ['mine'], ['saved', 'staleEmpty'], ['loaded'], plainText(rows)),
    add: part(
      { tag, id: null, person: null, defaults },
      ['mine'],
      ['saved', 'invalid', 'forbidden', 'ended'],
    ),
    view: part(() => ({ ...edit(), viewOnly: true }), [], []),
  }
}

function eventsOf(
  names: Names,
  changes: readonly ('mine' | 'empty')[],
  attr: string,
): Spec<unknown>['events'] {
  const bare = { bare: {} }
  return {
    'field.change': Object.fromEntries(
      changes.map((change) => [
        change,
        { attrName: attr, value: change === 'mine' ? names.mine : '' },
      ]),
    ),
    'field.blur': { name: { attrName: attr } },
    'form.submit': bare,
    'form.retry': bare,
    'form.leave': bare,
    'leave.confirm': bare,
    'leave.cancel': bare,
    'stale.choose': {
      theirs: { attrName: attr, side: 'theirs' },
      mine: { attrName: attr, side: 'mine' },
    },
    'stale.save': bare,
    'stale.cancel': bare,
  }
}

/** `sample`: the row that the form opens with. */
function outcomesOf(
  { config, name }: RowSet,
  names: Names,
  sample: Row,
  attr: string,
  loads: readonly string[],
  saves: readonly string[],
): Spec<unknown>['outcomes'] {
  return {
    loadForm: ({ id }: { id: string | null }) =>
      only(
        {
          loaded: ok({ config, row: id === null ? null : sample, now: '2026-01-01 00:00:00' }),
          gone: no('refused', 404),
          ended: no('session', 401),
        },
        loads,
      ),
    saveRow: ({ values }: SaveInput) =>
      only(
        {
          saved: ok({ ...sample, ...values }),
          stale: no('refused', 40900, { ...sample, [name]: names.theirs, version: 'another' }),
          staleEmpty: no('refused', 40900, { ...sample, [attr]: null, version: 'another' }),
          invalid: no('invalid', 42200, null, [{ path: name, rule: 'maxLength', msg: '' }]),
          gone: no('refused', 404),
          forbidden: no('refused', 403),
          ended: no('session', 401),
        },
        saves,
      ),
  } as Spec<unknown>['outcomes']
}

function only(all: Readonly<Record<string, Outcome>>, wanted: readonly string[]) {
  return Object.fromEntries(Object.entries(all).filter(([each]) => wanted.includes(each)))
}

async function scenesOf(...args: Parameters<typeof sceneTools>): Promise<Scenes> {
  const tools = await sceneTools(...args)
  return {
    loadForm: loadFormScenes(tools),
    saveRow: saveRowScenes(tools),
  }
}

type SceneTools = Awaited<ReturnType<typeof sceneTools>>

/** What the scenes of several ports share. */
async function sceneTools(
  run: RunContext,
  subject: Subject,
  rows: RowSet,
  { mine, theirs }: Names,
) {
  const { api } = await run.helper('admin')
  const { tag, name } = rows,
    optional = plainText(rows)
  const read = (id = rows.idOf(alias)) => api.entityData.get({ params: { tag, id } })
  /**
   * Versions that another user made stale: where the path continues as if nobody had, uses the
   * present one.
   */
  const outdated = new Set<unknown>()
  const asNow = async (input: SaveInput): Promise<SaveInput> => {
    if (input.id === null) return input
    await rows.ensure()
    const now = await read()
    return {
      ...input,
      id: now.id,
      version:
        input.id !== now.id || outdated.has(input.version) ? (now.version ?? null) : input.version,
    }
  }
  const unchanged = async (id: string | null) => {
    if (id === null) return []
    const before = await read(id)
    return async () => same('the row that was not saved', before, await read(id))
  }
  const saving = (make: (input: SaveInput) => Promise<Scene> | Scene) =>
    subject.usual(async (asked: SaveInput) => {
      const input = await asNow(asked)
      return { input, ...(await make(input)) }
    })
  const refused =
    (make: () => (input: unknown) => Promise<Scene>) =>
    async (asked: SaveInput): Promise<Scene> => {
      const input = await asNow(asked),
        still = await unchanged(input.id),
        scene = await make()(input)
      return {
        input,
        check: async (answer) => [
          ...(await scene.check(answer)),
          ...(typeof still === 'function' ? await still() : []),
        ],
      }
    }
  const kept = (sent: Values, row: Row): string[] =>
    [name, optional].flatMap((attr) => (attr in sent ? same(attr, sent[attr], row[attr]) : []))
  return {
    subject,
    rows,
    mine,
    theirs,
    api,
    tag,
    name,
    optional,
    read,
    outdated,
    unchanged,
    saving,
    refused,
    kept,
  }
}

function loadFormScenes({ subject, rows, tag, read }: SceneTools): Scenes[string] {
  return {
    loaded: subject.usual(async (input: { tag: string; id: string | null }) => {
      await rows.ensure()
      return {
        input: { tag, id: input.id === null ? null : rows.idOf(alias) },
        check: async (answer) => {
          const { row } = (answer as { output: { row: Row | null } }).output
          return input.id === null ? same('row', null, row) : same('row', await read(), row)
        },
      }
    }),
    gone: subject.usual(async (input: { tag: string; id: string | null }) => {
      await rows.remove([alias])
      return {
        input: { tag, id: input.id },
        check: (answer) => refusedAs(answer, 'refused', 404),
      }
    }),
    ended: subject.ended(),
  }
}

function saveRowScenes(tools: SceneTools): Scenes[string] {
  const { subject, rows, mine, api, tag, name, read, outdated, unchanged, saving, refused, kept } =
    tools
  return {
    saved: saving(async (input) => {
      const before = input.id === null ? null : await read()
      return {
        check: async (answer) => {
          const row = rowOf(answer),
            now = await read(row.id)
          const lines = [
            ...kept(input.values, row),
            ...same('the row as others read it', now, row),
            ...(before === null
              ? []
              : [
                  ...same('id', before.id, row.id),
                  ...(before.version === now.version && before[name] !== now[name]
                    ? ['version: the same after a change']
                    : []),
                ]),
          ]
          if (input.id === null) await api.entityData.remove({ params: { tag, ids: row.id } })
          else outdated.add(before?.version)
          return lines
        },
      }
    }),
    ...staleScenes(tools),
    invalid: saving(async (input) => {
      const still = await unchanged(input.id)
      return {
        input: { ...input, values: { ...input.values, [name]: mine.padEnd(5000, 'x') } },
        check: async (answer) => [
          ...refusedAs(answer, 'invalid', 42200),
          ...same(
            'the field at fault',
            [name],
            [...new Set(problemIn(answer)?.issues.map(({ path }) => path))],
          ),
          ...(problemIn(answer)?.issues.every(({ rule, msg }) => rule !== '' && msg !== '') === true
            ? []
            : ['issues: a rule or a sentence is missing']),
          ...(typeof still === 'function' ? await still() : []),
        ],
      }
    }),
    gone: saving(async (input) => {
      await rows.remove([alias])
      return {
        check: async (answer) => [
          ...refusedAs(answer, 'refused', 404),
          ...(await refuses('reading the deleted row', read(input.id ?? ''), 404)),
        ],
      }
    }),
    forbidden: refused(() => subject.forbidden()),
    ended: refused(() => subject.ended()),
  }
}

/** Another user has saved the row since the form was opened. */
function staleScenes({
  theirs,
  api,
  tag,
  name,
  optional,
  read,
  outdated,
  saving,
}: SceneTools): Scenes[string] {
  return {
    stale: saving(async (input) => {
      const before = await read()
      outdated.add(before.version)
      const changed = await api.entityData.update({
        params: { tag, id: before.id },
        body: {
          [name]: before[name] === theirs ? `${theirs}2` : theirs,
          version: before.version,
        },
      })
      return {
        input: { ...input, version: before.version ?? null },
        check: async (answer) => [
          ...refusedAs(answer, 'refused', 40900),
          ...same('data: the row that stands', changed, problemIn(answer)?.data),
          ...same('the row that stands', changed, await read()),
        ],
      }
    }),
    staleEmpty: saving(async (input) => {
      const first = await read(),
        write = (value: string, { version }: Row) =>
          api.entityData.update({
            params: { tag, id: first.id },
            body: { [optional]: value, version },
          })
      const before = isEmpty(first[optional]) ? await write(theirs, first) : first
      outdated.add(before.version)
      const changed = await write('', before)
      return {
        input: { ...input, version: before.version ?? null },
        check: async (answer) => [
          ...refusedAs(answer, 'refused', 40900),
          ...same('data: the row that stands', changed, problemIn(answer)?.data),
          ...same('whether the field is empty', true, isEmpty((await read())[optional])),
        ],
      }
    }),
  }
}
