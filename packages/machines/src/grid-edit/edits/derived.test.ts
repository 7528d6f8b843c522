import type { EntityConfig, Field } from '@jiaowu/api/entity/config'
import { fieldDefinitionSchema } from '@jiaowu/api/entity/definition/definition'
import type { Row, Values } from '@jiaowu/api/entity/values'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { createActor } from 'xstate'
import { entityFormMachine } from '../../entity-form/machine.ts'
import { entityFormActors } from '../../entity-form/ports.ts'
import { entityFormView } from '../../entity-form/view.ts'
import type { GridContext, RowEdit } from '../context.ts'
import { newEdit } from './edits.ts'
import { gridCell } from '../view.ts'

function buildNumberField(attrName: string, formula?: string): Field {
  return {
    ...v.parse(fieldDefinitionSchema, {
      id: attrName,
      attrName,
      uiLabel: attrName,
      uiType: 'inputNumber',
      isList: 1,
      derived: formula ?? null,
    }),
    sortable: true,
  }
}
const fields = [
  buildNumberField('score'),
  buildNumberField('point', 'round((row.score - 50) / 10, 1)'),
  buildNumberField('note'),
]
const config: EntityConfig = {
  tag: 'T',
  name: 'T',
  fields,
  buttons: [],
  options: {
    selection: true,
    operColumnShow: true,
    singleSelect: false,
    multiSelect: true,
    openType: 'drawer',
    sorts: [],
  },
  idField: 'id',
  tagField: null,
  permissions: [],
}
const row: Row = { id: '1', version: 1, score: 60, point: 1, note: 2 }

function cellsWith(values: Values, change: Partial<RowEdit> = {}) {
  const found = { id: '1', row }
  const edit = { ...newEdit(found), values, ...change }
  const context = {
    config,
    columns: fields,
    total: 1,
    added: [],
    blocks: { 0: [row] },
    edits: { 1: edit },
    mayEdit: true,
    mayAdd: true,
    open: {},
  } satisfies Partial<GridContext>
  return fields.map((_field, col) => {
    const cell = gridCell(context, 0, col)
    return [cell?.value, cell?.state, cell?.isEditable]
  })
}

test('a derived cell follows what is typed, waits with it, and cannot be typed into', () => {
  expect(cellsWith({})).toEqual([
    [60, 'stored', true],
    [1, 'stored', false],
    [2, 'stored', true],
  ])
  expect(cellsWith({ score: 85 })[1]).toEqual([3.5, 'unsaved', false])
  expect(cellsWith({ score: 85 }, { isSaving: true })[1]).toEqual([3.5, 'saving', false])
  expect(cellsWith({ note: 3 })[1]).toEqual([1, 'stored', false])
  expect(cellsWith({ score: null })[1]).toEqual([null, 'unsaved', false])
  // Nothing follows from a refused value.
  expect(cellsWith({ score: 120 }, { faults: { score: 'no' } })[1]?.[0]).toBeNull()
  expect(cellsWith({ score: 85 }, { faults: { note: 'no' } })[1]?.[0]).toBe(3.5)
})

test('a derived field of a form follows what is typed, and is not sent', async () => {
  const sent: Values[] = []
  const actor = createActor(
    entityFormMachine.provide({
      actors: entityFormActors({
        loadForm: async () => ({ config, row, now: '2026-01-01 00:00:00' }),
        saveRow: async ({ values }) => {
          sent.push(values)
          return { ...row, ...values }
        },
      }),
    }),
    { input: { tag: 'T', id: '1', person: null } },
  )
  actor.start()
  await expect.poll(() => entityFormView(actor.getSnapshot()).step).toBe('editing')
  const point = () =>
    entityFormView(actor.getSnapshot()).groups[0]?.fields.find(
      (each) => each.field.attrName === 'point',
    )
  expect(point()).toMatchObject({ editing: 'readonly', value: 1 })
  actor.send({ type: 'field.change', attrName: 'score', value: 90 })
  expect(point()?.value).toBe(4)
  actor.send({ type: 'form.submit' })
  await expect.poll(() => sent).toEqual([{ score: 90 }])
  actor.stop()
})
