import { ApiProblem, networkProblem } from '@jiaowu/api/problem'
import type { EntityConfig } from '@jiaowu/api/entity/config'
import { fieldDefinitionSchema } from '@jiaowu/api/entity/definition/definition'
import type { Row } from '@jiaowu/api/entity/values'
import * as v from 'valibot'
import { expect, it } from 'vitest'
import { createActor, waitFor } from 'xstate'
import { entityFormMachine } from './machine.ts'
import { entityFormActors, type SaveInput } from './ports.ts'

const parseField = (attrName: string, uiType: 'input' | 'password' = 'input') => ({
  ...v.parse(fieldDefinitionSchema, { id: attrName, attrName, uiLabel: attrName, uiType }),
  sortable: false,
})
const config: EntityConfig = {
  tag: 'A',
  name: 'A',
  fields: [parseField('name'), parseField('phone'), parseField('pass', 'password')],
  buttons: [],
  options: {
    selection: false,
    operColumnShow: false,
    singleSelect: false,
    multiSelect: false,
    openType: 'drawer',
    sorts: [],
  },
  idField: 'id',
  tagField: null,
  permissions: [],
}
const buildRefusal = (code: number, data: unknown = null) =>
  new ApiProblem({
    kind: code === 42200 ? 'invalid' : 'refused',
    code,
    message: '',
    issues: [],
    data,
    traceId: null,
  })

/** A form whose saves get these answers, one after the other. */
async function openForm(id: string | null, answers: readonly (Row | ApiProblem)[]) {
  const sent: SaveInput[] = []
  const left = [...answers]
  const row = { id: '1', version: 1, name: 'old', phone: '1' }
  const actor = createActor(
    entityFormMachine.provide({
      actors: entityFormActors({
        loadForm: () =>
          Promise.resolve({
            config,
            row: id === null ? null : row,
            now: '',
            ...(id === null ? { newId: '77' } : {}),
          }),
        saveRow: (input) => {
          sent.push(input)
          const answer = left.shift() ?? networkProblem()
          return answer instanceof ApiProblem ? Promise.reject(answer) : Promise.resolve(answer)
        },
      }),
    }),
    { input: { tag: 'A', id, person: null } },
  ).start()
  await waitFor(actor, (s) => s.matches('editing'))
  return {
    sent,
    type: (name: string, value: string) =>
      actor.send({ type: 'field.change', attrName: name, value }),
    save: async () => {
      actor.send({ type: 'form.submit' })
      return await waitFor(actor, (s) => !s.hasTag('busy'))
    },
  }
}

it('sends the id that was made when the form opened, with every try', async () => {
  const form = await openForm(null, [networkProblem(), { id: '77', name: 'a' }])
  form.type('name', 'a')
  expect((await form.save()).matches({ editing: 'dirty' })).toBe(true)
  expect((await form.save()).matches('saved')).toBe(true)
  expect(form.sent.map(({ id, newId }) => [id, newId])).toEqual([
    [null, '77'],
    [null, '77'],
  ])
})

it('saves what was typed after a lost answer as an edit of the row that was made', async () => {
  const form = await openForm(null, [
    networkProblem(),
    { id: '77', version: 1, name: 'a', phone: '1' },
    { id: '77', version: 2, name: 'a', phone: '2' },
  ])
  form.type('name', 'a')
  form.type('phone', '1')
  await form.save()
  form.type('phone', '2')
  const saved = await form.save()
  expect(saved.matches('saved')).toBe(true)
  expect(saved.context.row).toMatchObject({ phone: '2', version: 2 })
  expect(form.sent.map(({ id, version, values }) => [id, version, values])).toEqual([
    [null, null, { name: 'a', phone: '1', pass: null }],
    [null, null, { name: 'a', phone: '1', pass: null }],
    ['77', 1, { phone: '2' }],
  ])
})

it('saves the corrected values when those of the lost request were refused', async () => {
  const form = await openForm(null, [
    networkProblem(),
    buildRefusal(42200),
    { id: '77', name: 'b' },
  ])
  form.type('name', 'a')
  await form.save()
  form.type('name', 'b')
  expect((await form.save()).matches('saved')).toBe(true)
  expect(form.sent.map(({ values }) => values.name)).toEqual(['a', 'a', 'b'])
})

it('keeps the values of the lost request while a refusal says nothing about them', async () => {
  const form = await openForm(null, [networkProblem(), buildRefusal(429), { id: '77', name: 'a' }])
  form.type('name', 'a')
  await form.save()
  form.type('name', 'b')
  expect((await form.save()).matches({ editing: 'dirty' })).toBe(true)
  await form.save()
  expect(form.sent.map(({ id, values }) => [id, values.name])).toEqual([
    [null, 'a'],
    [null, 'a'],
    [null, 'a'],
    ['77', 'b'],
  ])
})

it('closes an edit as saved when the stored row has what was sent', async () => {
  const form = await openForm('1', [
    networkProblem(),
    buildRefusal(40900, { id: '1', version: 2, name: 'mine', phone: 'of somebody else' }),
  ])
  form.type('name', 'mine')
  await form.save()
  const saved = await form.save()
  expect(saved.matches('saved')).toBe(true)
  expect(saved.context.row).toMatchObject({ version: 2, phone: 'of somebody else' })
})

it('still asks when the stored row differs, or when a password was sent', async () => {
  const differing = await openForm('1', [
    buildRefusal(40900, { id: '1', version: 2, name: 'theirs', phone: '1' }),
  ])
  differing.type('name', 'mine')
  expect((await differing.save()).matches('stale')).toBe(true)
  const secret = await openForm('1', [
    buildRefusal(40900, { id: '1', version: 2, name: 'old', phone: '1' }),
  ])
  secret.type('pass', 'Secret-2026')
  expect((await secret.save()).matches('stale')).toBe(true)
})
