import type { Button } from '@jiaowu/api/entity/definition/button'
import type { EntityConfig, Field } from '@jiaowu/api/entity/config'
import { fieldDefinitionSchema } from '@jiaowu/api/entity/definition/definition'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { computeListRights, rowActions, toolbarButtons } from './rights.ts'

function buildConfig(more: Partial<EntityConfig> = {}): EntityConfig {
  return {
    tag: 'A',
    name: 'A',
    fields: [buildDetailField('name'), buildDetailField('parent')],
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

function buildDetailField(attrName: string, more: object = {}): Field {
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

function buildButton(code: string, position: 1 | 2, positionExp: string | null = null): Button {
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
    const rights = computeListRights(null, everyone)
    expect([rights.add, rights.export, rights.importModes]).toEqual([false, false, []])
  })
  test('need the permission of each action', () => {
    expect(computeListRights(buildConfig(), holder('view'))).toMatchObject({
      view: true,
      add: false,
      edit: false,
      deleteRow: false,
      export: false,
      importModes: [],
      bulkUpdate: false,
    })
    expect(computeListRights(buildConfig(), holder('add', 'export'))).toMatchObject({
      add: true,
      edit: false,
      export: true,
      importModes: ['insert'],
    })
    expect(computeListRights(buildConfig(), everyone)).toMatchObject({
      edit: true,
      deleteRow: true,
      deleteSelected: true,
      bulkDelete: true,
      importModes: ['insert', 'update', 'upsert'],
    })
  })
  test('leave out what the entity refuses and what no field is for', () => {
    expect(computeListRights(buildConfig({ refuses: ['add', 'delete'] }), everyone)).toMatchObject({
      add: false,
      deleteRow: false,
      deleteSelected: false,
    })
    const shown = [buildDetailField('name', { isAdd: 0, isEdit: 0, isDetail: 0 })]
    expect(computeListRights(buildConfig({ fields: shown }), everyone)).toMatchObject({
      add: false,
      edit: false,
      view: false,
      history: false,
    })
  })
  test('follow the selection of the table', () => {
    const { options } = buildConfig()
    const none = buildConfig({ options: { ...options, selection: false } })
    const single = buildConfig({ options: { ...options, singleSelect: true, multiSelect: false } })
    expect(computeListRights(none, everyone)).toMatchObject({
      selection: 'none',
      deleteSelected: false,
    })
    expect(computeListRights(single, everyone).selection).toBe('single')
    expect(computeListRights(buildConfig(), everyone).selection).toBe('multi')
  })
  test('let a tree move and add rows where its parent field can be set', () => {
    const tree = { parentField: 'parent' } as NonNullable<EntityConfig['tree']>
    expect(computeListRights(buildConfig({ tree }), everyone)).toMatchObject({
      move: true,
      addBelow: 'parent',
    })
    const fixed = [buildDetailField('name'), buildDetailField('parent', { isAdd: 2, isEdit: 2 })]
    expect(computeListRights(buildConfig({ tree, fields: fixed }), everyone)).toMatchObject({
      move: false,
      addBelow: null,
    })
  })
  test('are computed once per definition and permissions', () => {
    const given = buildConfig()
    expect(computeListRights(given, everyone)).toBe(computeListRights(given, everyone))
    expect(computeListRights(given, holder('view')).add).toBe(false)
  })
})

describe('the actions of a row', () => {
  const actionsOf = (given: EntityConfig, user = everyone, can = true) =>
    rowActions(
      {
        config: given,
        may: computeListRights(given, user),
        can: { askDeleteRow: can, press: can },
      },
      { id: '1', name: 'x' },
      user,
      ignore,
    ).map(({ code, enabled }) => `${code}${enabled ? '' : ' (disabled)'}`)

  test('are in the order in which they are shown, with the history beside custom buttons', () => {
    const given = buildConfig({
      buttons: [buildButton('go', 2), buildButton('other', 2, "row.name == 'y'")],
    })
    expect(actionsOf(given)).toEqual(['view', 'edit', 'go', 'copy', 'history', 'delete'])
    expect(actionsOf(buildConfig())).toEqual(['view', 'edit', 'delete'])
  })
  test('keep what is offered but cannot be done right now, disabled', () => {
    expect(actionsOf(buildConfig({ buttons: [buildButton('go', 2)] }), everyone, false)).toEqual([
      'view',
      'edit',
      'go (disabled)',
      'copy',
      'history',
      'delete (disabled)',
    ])
  })
  test('need permissions', () => {
    expect(actionsOf(buildConfig(), { ...holder('view'), user: { account: '' } })).toEqual(['view'])
  })
})

test('the toolbar shows its own buttons, and hides one whose expression throws', () => {
  const hidden: string[] = []
  const given = buildConfig({
    buttons: [buildButton('a', 1), buildButton('b', 2), buildButton('c', 1, 'row.(')],
  })
  const shown = toolbarButtons(given, everyone, (code) => hidden.push(code))
  expect([shown.map(({ code }) => code), hidden]).toEqual([['a'], ['c']])
})
