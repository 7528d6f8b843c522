import type { Row, Values } from '@jiaowu/api/entity/values'
import { entityFormApiPorts } from '@jiaowu/machines/entity-form/api-ports'
import type { EntityFormInput } from '@jiaowu/machines/entity-form/context'
import type { EntityFormPorts, SaveInput } from '@jiaowu/machines/entity-form/ports'
import type { AnyMachineSnapshot } from 'xstate'
import {
  type Faults,
  isRefused,
  must,
  expectSame,
  expectUnchanged,
} from '../../surfaces/server/checks.ts'
import {
  answers,
  type CallOf,
  refuseEndedSession,
  forbidden,
  invalid,
  prepareEndings,
  refuses,
  type Scene,
  stale,
} from '../../surfaces/server/endings.ts'
import { newValues, plainText, type RowSet } from '../../surfaces/server/rows/rows.ts'
import type { Api } from '../../surfaces/server/run-context.ts'
import { type ServerParts, buildServerParts } from '../../surfaces/server/server-part.ts'
import { entityFormModels } from './model.ts'

const alias = '01'
type Call<Name extends keyof EntityFormPorts> = CallOf<EntityFormPorts, Name>

/** A row is opened, changed and saved; another user changes or deletes it meanwhile. */
export const serverEntityForm: ServerParts = async ({ run, registrar, listed }) => {
  const subject = await registrar(),
    rows = await listed(),
    { api } = await run.helper('admin')
  const optional = plainText(rows)
  const defaults = await newValues(api, rows.config, `${rows.stem}new`)
  const row = editedRow(api, rows, optional)
  await row.renew() // an earlier path may have changed it
  await row.write({ [optional]: row.names.old })
  const sample = await row.read()
  const edit = (): EntityFormInput => ({ tag: rows.tag, id: rows.idOf(alias), person: null })
  /** The form in which one field is changed. */
  const form = (attr: string) => ({
    model: entityFormModels,
    ports: entityFormApiPorts(subject.api),
    subject,
    calls: { loadForm: loadForm(row, sample), saveRow: saveRow(row, sample) },
    samples: buildFormSamples(row, attr),
    key: (s: AnyMachineSnapshot) => buildServerFormKey(row, attr, s),
    start: edit,
    ends: 'loadForm(loaded)',
  })
  const others = `field.blur, form.submit, form.retry, form.leave, leave.confirm, leave.cancel,
      stale.choose, stale.save, stale.cancel`,
    changed = `field.change(mine), ${others}`
  return {
    ...buildServerParts({
      ...form(rows.name),
      before: row.renew,
      parts: {
        edit: {
          events: `field.change(mine, empty), ${others}`,
          ends: 'loadForm(loaded, gone, ended), saveRow(saved, invalid, gone, forbidden, ended)',
        },
        stale: { events: changed, ends: 'saveRow(saved, stale)' },
        add: {
          start: () => ({ tag: rows.tag, id: null, person: null, defaults }),
          events: changed,
          ends: 'saveRow(saved, invalid, forbidden, ended)',
        },
        view: {
          start: () => ({ ...edit(), viewOnly: true }),
          events: others,
          ends: 'saveRow()',
        },
      },
    }),
    ...buildServerParts({
      ...form(optional),
      before: async () => {
        await row.renew()
        await row.write({ [optional]: row.names.old })
      },
      parts: { emptied: { events: changed, ends: 'saveRow(saved, staleEmpty)' } },
    }),
  }
}

type EditedRow = ReturnType<typeof editedRow>

/** The row of the form, as another user reads and writes it. */
function editedRow(api: Api, rows: RowSet, optional: string) {
  const { tag, stem } = rows
  const read = (id = rows.idOf(alias)) => api.entityData.get({ params: { tag, id } })
  const remove = () => rows.remove([alias])
  /**
   * Versions that another user made stale: where the path continues as if nobody had, the present
   * one is meant.
   */
  const outdated = new Set<unknown>()
  return {
    api,
    rows,
    optional,
    names: { old: rows.called(alias), mine: `${stem}mine`, theirs: `${stem}theirs` },
    outdated,
    read,
    write: async (values: Values) => {
      const { id, version } = await read()
      return api.entityData.update({ params: { tag, id }, body: { ...values, version } })
    },
    remove,
    renew: async () => {
      await remove()
      await rows.ensure()
    },
    /** A save of the row as it is now on the server. */
    asNow: async (asked: SaveInput): Promise<SaveInput> => {
      if (asked.id === null) return asked
      await rows.ensure()
      const { id, version = null } = await read()
      const isPast = asked.id !== id || outdated.has(asked.version)
      return { ...asked, id, version: isPast ? version : asked.version }
    },
    /** Tells whether the row of a refused save is as it was; a new row is none. */
    untouched: async ({ id }: SaveInput): Promise<() => Faults | Promise<Faults>> =>
      id === null ? () => [] : expectUnchanged('the row that was not saved', () => read(id)),
  }
}

function loadForm(row: EditedRow, sample: Row): Call<'loadForm'> {
  const { config, tag } = row.rows
  return {
    loaded: answers(
      ({ id }) => ({ config, row: id === null ? null : sample, now: '2026-01-01 00:00:00' }),
      async ({ id }) => {
        await row.rows.ensure()
        return {
          input: { tag, id: id === null ? null : row.rows.idOf(alias) },
          check: async (form) => expectSame('row', id === null ? null : await row.read(), form.row),
        }
      },
    ),
    gone: refuses(404, row.remove),
    ended: refuseEndedSession(),
  }
}

function saveRow(row: EditedRow, sample: Row): Call<'saveRow'> {
  const { name } = row.rows,
    { mine } = row.names
  const refused = async (asked: SaveInput) => ({ check: await row.untouched(asked) })
  return prepareEndings(row.asNow, {
    saved: answers(({ values }) => ({ ...sample, ...values }), arrangeSave(row)),
    stale: overtaken(row, sample, name),
    staleEmpty: overtaken(row, sample, row.optional),
    invalid: invalid(name, async (asked) => ({
      input: { ...asked, values: { ...asked.values, [name]: mine.padEnd(5000, 'x') } },
      check: await row.untouched(asked),
    })),
    gone: refuses(404, async ({ id }) => {
      await row.remove()
      return { check: () => isRefused('reading the deleted row', row.read(id ?? ''), 404) }
    }),
    forbidden: forbidden(refused),
    ended: refuseEndedSession(refused),
  })
}

function arrangeSave(row: EditedRow) {
  const { api, rows, optional, outdated } = row
  return async ({ id, values }: SaveInput): Promise<Scene<SaveInput, Row>> => {
    const before = id === null ? null : await row.read()
    return {
      check: async (answer) => {
        const now = await row.read(answer.id)
        const isRenamed = before !== null && before[rows.name] !== now[rows.name]
        if (before === null)
          await api.entityData.remove({ params: { tag: rows.tag, ids: answer.id } })
        else outdated.add(before.version)
        return [
          [rows.name, optional]
            .filter((attr) => attr in values)
            .map((attr) => expectSame(attr, values[attr], answer[attr])),
          expectSame('the row as others read it', now, answer),
          before === null ? [] : expectSame('id', before.id, answer.id),
          must(!isRenamed || before.version !== now.version, 'version: the same after a change'),
        ]
      },
    }
  }
}

/** Another user has saved the row since the form was opened: named it, or emptied a field. */
function overtaken(row: EditedRow, sample: Row, attr: string): Call<'saveRow'>[string] {
  const { theirs } = row.names,
    isEmptied = attr === row.optional
  return stale({
    what: 'the row that stands',
    sample: () => ({ ...sample, [attr]: isEmptied ? null : theirs, version: 'another' }),
    version: async () => {
      if (isEmptied && isEmpty((await row.read())[attr])) await row.write({ [attr]: theirs })
      const { version = null } = await row.read()
      row.outdated.add(version)
      return version
    },
    overtake: async () => {
      const old = (await row.read())[attr]
      const value = isEmptied ? '' : old === theirs ? `${theirs}2` : theirs
      const saved = await row.write({ [attr]: value })
      if (isEmpty(saved[attr]) !== isEmptied) throw new Error(`${attr} is not as it was saved`)
      return saved
    },
    read: () => row.read(),
  })
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || value === ''
}

function buildFormSamples({ names }: EditedRow, attrName: string) {
  return {
    'field.change': {
      mine: { attrName, value: names.mine },
      empty: { attrName, value: '' },
    },
    'field.blur': { name: { attrName } },
    'stale.choose': {
      theirs: { attrName, side: 'theirs' },
      mine: { attrName, side: 'mine' },
    },
  }
}

function buildServerFormKey(
  { names }: EditedRow,
  attr: string,
  { value, context: c }: AnyMachineSnapshot,
) {
  const classOf = (given: unknown): string => {
    const text = String(given ?? '')
    return text === names.old ? 'old' : text.startsWith(names.theirs) ? 'theirs' : text
  }
  return [
    value,
    classOf(c.values[attr]),
    classOf(c.original[attr]),
    Object.keys(c.faults),
    c.problem?.kind ?? null,
    c.problem?.code === 404,
    c.stale?.choices[attr] ?? null,
  ]
}
