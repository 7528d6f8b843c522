import type { Button } from '@jiaowu/api/entity/definition/button'
import type { EntityConfig, Field } from '@jiaowu/api/entity/config'
import { fieldDefinitionSchema } from '@jiaowu/api/entity/definition/definition'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { rightsOf, rowActions, toolbarButtons } from './rights.ts'

function config(more: Partial<EntityConfig> = {}): EntityConfig {
  return {
    tag: 'A',
    name: 'A',
    fields: [field('name'), field('parent')],
    buttons: [],
    idField: 'id',
    tagField: 'name',
    permissions: ['entity:A:update', 'entity:A:delete'],
    options: {
      selection: true,
      operColumnShow: true,
      singleSelect: false,
      multiSelect: true,
      openType: 'drawer',
      sorts: [],
    },
    ...more,
  }
}

function field(attrName: string, more: object = {}): Field {
  return {
    ...v.parse(fieldDefinitionSchema, {
      id: attrName,
      attrName,
      uiLabel: attrName,
      isDetail: 1,
      ...more,
    }),
    sortable: false,
  }
}

function button(code: string, position: 1 | 2, positionExp: string | null = null): Button {
  return {
    code,
    name: code,
    icon: null,
    status: 1,
    position,
    positionExp,
    eventType: 1,
    eventContent: [],
  }
}

const everyone = { permissions: ['ALL_PERMISSION'], user: { account: 'admin' } }
const holder = (...actions: readonly string[]) => ({
  permissions: actions.map((action) => `entity:A:${action}`),
  user: {},
})
const ignore = () => {}

describe('the rights of a list', () => {
  test('are none while the definition is unknown', () => {
    const rights = rightsOf(null, everyone)
    expect([rights.add, rights.export, rights.importModes]).toEqual([false, false, []])
  })
  test('need the permission of each action', () => {
    expect(rightsOf(config(), holder('view'))).toMatchObject({
      view: true,
      add: false,
      edit: false,
      deleteRow: false,
      export: false,
      importModes: [],
      bulkUpdate: false,
    })
    expect(rightsOf(config(), holder('add', 'export'))).toMatchObject({
      add: true,
      edit: false,
      export: true,
      importModes: ['insert'],
    })
    expect(rightsOf(config(), everyone)).toMatchObject({
      edit: true,
      deleteRow: true,
      deleteSelected: true,
      bulkDelete: true,
      importModes: ['insert', 'update', 'upsert'],
    })
  })
  test('leave out what the entity refuses and what no field is for', () => {
    expect(rightsOf(config({ refuses: ['add', 'delete'] }), everyone)).toMatchObject({
      add: false,
      deleteRow: false,
      deleteSelected: false,
    })
    const shown = [field('name', { isAdd: 0, isEdit: 0, isDetail: 0 })]
    expect(rightsOf(config({ fields: shown }), everyone)).toMatchObject({
      add: false,
      edit: false,
      view: false,
      history: false,
    })
  })
  test('follow the selection of the table', () => {
    const { options } = config()
    const none = config({ options: { ...options, selection: false } })
    const single = config({ options: { ...options, singleSelect: true, multiSelect: false } })
    expect(rightsOf(none, everyone)).toMatchObject({ selection: 'none', deleteSelected: false })
    expect(rightsOf(single, everyone).selection).toBe('single')
    expect(rightsOf(config(), everyone).selection).toBe('multi')
  })
  test('let a tree move and add rows where its parent field can be set', () => {
    const tree = { parentField: 'parent' } as NonNullable<EntityConfig['tree']>
    expect(rightsOf(config({ tree }), everyone)).toMatchObject({ move: true, addBelow: 'parent' })
    const fixed = [field('name'), field('parent', { isAdd: 2, isEdit: 2 })]
    expect(rightsOf(config({ tree, fields: fixed }), everyone)).toMatchObject({
      move: false,
      addBelow: null,
    })
  })
  test('are computed once per definition and permissions', () => {
    const given = config()
    expect(rightsOf(given, everyone)).toBe(rightsOf(given, everyone))
    expect(rightsOf(given, holder('view')).add).toBe(false)
  })
})

describe('the actions of a row', () => {
  const actionsOf = (given: EntityConfig, user = everyone, can = true) =>
    rowActions(
      { config: given, may: rightsOf(given, user), can: { askDeleteRow: can, press: can } },
      { id: '1', name: 'x' },
      user,
      ignore,
    ).map(({ code, enabled }) => `${code}${enabled ? '' : ' (disabled)'}`)

  test('are in the order in which they are shown, with the history beside custom buttons', () => {
    const given = config({ buttons: [button('go', 2), button('other', 2, "row.name == 'y'")] })
    expect(actionsOf(given)).toEqual(['view', 'edit', 'go', 'history', 'delete'])
    expect(actionsOf(config())).toEqual(['view', 'edit', 'delete'])
  })
  test('keep what is offered but cannot be done right now, disabled', () => {
    expect(actionsOf(config({ buttons: [button('go', 2)] }), everyone, false)).toEqual([
      'view',
      'edit',
      'go (disabled)',
      'history',
      'delete (disabled)',
    ])
  })
  test('need permissions', () => {
    expect(actionsOf(config(), { ...holder('view'), user: { account: '' } })).toEqual(['view'])
  })
})

test('the toolbar shows its own buttons, and hides one whose expression throws', () => {
  const hidden: string[] = []
  const given = config({ buttons: [button('a', 1), button('b', 2), button('c', 1, 'row.(')] })
  const shown = toolbarButtons(given, everyone, (code) => hidden.push(code))
  expect([shown.map(({ code }) => code), hidden]).toEqual([['a'], ['c']])
})
