// Secrets in tables of other programs: stored as they are typed, because those programs use them, and
// never answered. Passwords are written only where a person says so.
import type { Row } from '@jiaowu/api/entity/values'
import type { TableDrafts } from '@jiaowu/api/entity/definition/table'
import { withPasswords } from '@jiaowu/api/entity/definition/kept-fields'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toCsv, importFile } from '../../support/imports.ts'
import { sendJson } from '../pii/send-json.ts'

/** Columns of public schemas of other programs. */
const tables = `
  create schema shop;
  create table shop.sys_oss_config (oss_config_id bigint primary key, access_key varchar(255),
    secret_key varchar(255), bucket_name varchar(255));
  create table shop.sms_channel (id bigint primary key, signature varchar(12) not null,
    api_key varchar(128) not null, api_secret varchar(128));
  create table shop.oauth_token (id bigint primary key, client_secret text, access_token varchar(40),
    refresh_token varchar(64), id_token text, token_type varchar(20));
  create table shop.member (id bigint primary key, login varchar(40) not null,
    password varchar(60) not null);
  create table shop.member_hashed (id bigint primary key, login varchar(40) not null,
    password varchar(100) not null);
  create table shop.wifi (id bigint primary key, ssid text, passphrase varchar(63));
  insert into shop.member_hashed values
    (1, 'ann', '$2a$10$7JB720yubVSZvUI0rEqK/.VqGOZTH.ulu33dHOiBE8ByOhJIrdAu2'),
    (2, 'bob', '{SSHA}DkMTwBl+a/3DQTxCYEApdUtNXGgdUac3');`

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
let drafts: TableDrafts['drafts']

beforeAll(async () => {
  app = await testApp({ BUSINESS_SCHEMAS: 'shop' })
  admin = await app.signIn('admin')
  await sql.raw(tables).execute(app.services.database.kysely)
  ;({ drafts } = await admin.design.draftAll({ body: { schemas: ['shop'] } }))
  await admin.design.adopt({
    body: {
      definitions: drafts.map(({ definition, passwords = [] }) =>
        withPasswords(definition, passwords),
      ),
    },
  })
})
afterAll(() => app.close())

function draftFor(name: string) {
  const found = drafts.find((draft) => draft.name === name)
  if (found === undefined) throw new Error(`no draft of ${name}`)
  return found
}
const tagFor = (name: string) => draftFor(name).definition.tag
const fieldFor = (name: string, column: string) =>
  draftFor(name).definition.fields.find(({ columnName }) => columnName === column)

async function readShopTable(table: string): Promise<Record<string, unknown>[]> {
  const { rows } = await sql<Record<string, unknown>>`
    select * from ${sql.raw(`shop.${table}`)} order by id`.execute(app.services.database.kysely)
  return rows
}

const secrets = {
  clientSecret: 's3cret-of-the-client',
  accessToken: 'short',
  refreshToken: 'refresh value 1',
  idToken: 'eyJhbGciOi.abc',
}

describe('a draft', () => {
  it('writes keys and tokens, and leaves passwords to a person', () => {
    const written = (name: string, column: string) => {
      const field = fieldFor(name, column)
      return [field?.uiType, field?.isAdd, field?.isList, field?.isExport, field?.isQuery]
    }
    const hidden = ['password', 1, 0, 0, 0]
    expect(written('sys_oss_config', 'secret_key')).toEqual(hidden)
    expect(written('sms_channel', 'api_secret')).toEqual(hidden)
    for (const column of ['client_secret', 'access_token', 'refresh_token', 'id_token'])
      expect(written('oauth_token', column), column).toEqual(hidden)
    expect(written('oauth_token', 'token_type')).toEqual(['input', 1, 1, 1, 1])
    expect(fieldFor('member', 'password')).toBeUndefined()
    const asked = (name: string) =>
      draftFor(name).passwords?.map(({ columnName, isAdd, isList, valids }) => [
        columnName,
        isAdd,
        isList,
        valids,
      ])
    expect(asked('member')).toEqual([['password', 1, 0, { required: true, maxChars: 60 }]])
    expect(asked('wifi')).toEqual([['passphrase', 1, 0, { maxChars: 63 }]])
  })

  it('does not ask about passwords whose stored values are hashes, and says why', () => {
    const { passwords, notes } = draftFor('member_hashed')
    expect(passwords).toEqual([])
    expect(notes.join()).toContain('散列值，因此不显示也不填写：password')
  })
})

describe('a secret of another program', () => {
  let row: Row
  beforeAll(async () => {
    row = await admin.entityData.create({
      params: { tag: tagFor('oauth_token') },
      body: { ...secrets, tokenType: 'bearer' },
    })
  })

  it('is stored as typed, whatever a good password would be', async () => {
    expect(await readShopTable('oauth_token')).toMatchObject([
      {
        client_secret: secrets.clientSecret,
        access_token: secrets.accessToken,
        refresh_token: secrets.refreshToken,
        id_token: secrets.idToken,
        token_type: 'bearer',
      },
    ])
  })

  it('stays when a form leaves it empty, and changes when one is typed', async () => {
    const params = { tag: tagFor('oauth_token'), id: row.id }
    const first = await admin.entityData.get({ params })
    await admin.entityData.update({
      params,
      body: { version: first.version, tokenType: 'mac', accessToken: '' },
    })
    expect(await readShopTable('oauth_token')).toMatchObject([
      { access_token: secrets.accessToken, token_type: 'mac' },
    ])
    const second = await admin.entityData.get({ params })
    await admin.entityData.update({
      params,
      body: { version: second.version, accessToken: 'rotated-1' },
    })
    expect(await readShopTable('oauth_token')).toMatchObject([
      { access_token: 'rotated-1', client_secret: secrets.clientSecret },
    ])
  })

  it('is refused at its field when it is longer than its column', async () => {
    const params = { tag: tagFor('oauth_token'), id: row.id }
    const { version } = await admin.entityData.get({ params })
    const attempt = admin.entityData.update({
      params,
      body: { version, accessToken: 'x'.repeat(41) },
    })
    await expect(attempt).rejects.toMatchObject({
      problem: { code: 42200, issues: [{ path: 'accessToken' }] },
    })
  })

  it('leaves the server by no list, detail, export, history or search', async () => {
    const tag = tagFor('oauth_token')
    const answers = await Promise.all(
      [
        ['/data/page', {}],
        [`/data/${row.id}`],
        ['/data/export', { format: 'csv', fileName: 'x' }],
        [`/data/${row.id}/history`],
        ['/config'],
      ].map(async ([path, body]) => {
        const response = await sendJson(app, admin.token, `/entity/${tag}${String(path)}`, body)
        return await response.text()
      }),
    )
    expect(answers[0]).toContain('mac')
    for (const value of [...Object.values(secrets), 'rotated-1'])
      expect(answers.join('\n')).not.toContain(value)
    const search = admin.entityData.page({
      params: { tag },
      body: { queries: { clientSecret: secrets.clientSecret } },
    })
    await expect(search).rejects.toMatchObject({ problem: { code: 42200 } })
  })

  it('is imported as it stands in the sheet, and encrypted in the ledger of the import', async () => {
    const label = (column: string) => fieldFor('oauth_token', column)?.uiLabel ?? ''
    const { status, inserted, id } = await importFile(
      admin,
      tagFor('oauth_token'),
      toCsv(`${label('client_secret')},${label('token_type')}\nfrom-a-sheet,basic\n`),
    )
    expect({ status, inserted }).toEqual({ status: 'done', inserted: 1 })
    expect(
      (await readShopTable('oauth_token')).map(({ client_secret }) => client_secret).sort(),
    ).toEqual(['from-a-sheet', secrets.clientSecret])
    const { rows } = await sql<{ ledger: string }>`
      select r::text as ledger from sys.job_row r
      where r.tenant_id = 10000 and r.job_id = ${id}::int8`.execute(app.services.database.kysely)
    expect(rows).toHaveLength(1)
    expect(rows[0]?.ledger ?? '').not.toContain('from-a-sheet')
  })
})

it('writes a password as typed where a person said so', async () => {
  await admin.entityData.create({
    params: { tag: tagFor('member') },
    body: { login: 'carl', password: '123' },
  })
  expect(await readShopTable('member')).toMatchObject([{ login: 'carl', password: '123' }])
})

it('hashes the passwords of accounts, which still must be good', async () => {
  const create = (password: string, account: string) =>
    admin.entityData.create({
      params: { tag: 'SYS_USER' },
      body: { account, name: '测试', password },
    })
  await expect(create('12345678', 'weak')).rejects.toMatchObject({
    problem: { issues: [{ path: 'password', rule: 'password' }] },
  })
  await create('春眠不觉晓处处闻啼鸟', 'strong')
  const { rows } = await sql<{ password_hash: string }>`
    select password_hash from sys.app_user
    where tenant_id = 10000 and account = 'strong'`.execute(app.services.database.kysely)
  expect(rows[0]?.password_hash).toMatch(/^argon2id\$|^scrypt\$/)
})
