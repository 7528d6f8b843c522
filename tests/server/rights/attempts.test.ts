// Each attempt is refused when it is saved; written to the database past all checks, it shows
// nothing in any reading call (docs/rules/security.md#secrets, docs/rules/security.md#designers).
import { ApiProblem } from '@jiaowu/api/problem'
import { withoutStoredKeys } from '@jiaowu/api/entity/definition/stored'
import type { EntityDefinition } from '@jiaowu/api/entity/definition/definition'
import { findKind } from '@jiaowu/api/fields/kinds'
import { idNumberOf, type TestApp, testApp } from '@jiaowu/server/testing'
import ExcelJS from 'exceljs'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toCsv, importFile } from '../../support/imports.ts'
import { type Attempt, attempts } from './attempts.ts'

type Client = Awaited<ReturnType<TestApp['signIn']>>
let app: TestApp
let clients: Readonly<Record<Attempt['as'], Client>>
/** Texts that no answer may contain, per caller. */
let forbidden: Readonly<Record<Attempt['as'], readonly string[]>>
const planted = 'PLANTED-SECRET'
const tenant = '10000'

beforeAll(async () => {
  app = await testApp()
  const admin = await app.signIn('admin')
  const db = app.services.database.kysely
  await sql`
    create table biz.keyring (id bigint primary key, tenant_id bigint not null, name text,
      door_password text)`.execute(db)
  await sql`insert into biz.keyring values (1, 10000, 'lab', ${planted})`.execute(db)
  await sql`
    insert into sys.captcha (key, answer, purpose, expires_at)
    values (${planted}, ${planted}, 'staff', now() + interval '1 hour')`.execute(db)
  // Choices of the planted fields are accounts.
  await sql`update biz.faculty set create_user = (select min(id) from sys.app_user)`.execute(db)
  await sql`
    update biz.class set create_user = (select min(id) from biz.student)`.execute(db)
  const { records } = await admin.entityData.page({
    params: { tag: 'SYS_ROLE' },
    body: { pageSize: 100, queries: { code: 'ROLE_CLERK' } },
  })
  const id = records.find((row) => row['code'] === 'ROLE_CLERK')?.id ?? ''
  const { version } = await admin.role.permissions({ params: { id } })
  const everything = ['view', 'export', 'add', 'update', 'delete']
  await admin.role.savePermissions({
    params: { id },
    body: {
      version,
      codes: [
        'entity:design',
        'entity:sql',
        ...['EDU_STUDENT', 'EDU_CLASS'].flatMap((tag) =>
          everything.map((action) => `entity:${tag}:${action}`),
        ),
      ],
      rules: [
        {
          tag: 'EDU_STUDENT',
          scope: 'all',
          expression: null,
          overrides: {
            idCard: { isList: 0, isQuery: 0, isDetail: 0, isExport: 0, isAdd: 0, isEdit: 0 },
          },
        },
      ],
    },
  })
  clients = { admin, designer: await app.signIn('clerk') }
  const hashes = await db.selectFrom('sys.app_user').select('password_hash').execute()
  const sessions = await db
    .selectFrom('sys.session')
    .select(['access_hash', 'refresh_hash'])
    .execute()
  const secrets = [
    planted,
    ...hashes.map(({ password_hash }) => password_hash),
    ...sessions.flatMap(({ access_hash, refresh_hash }) => [access_hash, refresh_hash]),
  ]
  const students = await db.selectFrom('biz.student').select('id_card').execute()
  forbidden = {
    admin: secrets,
    designer: [
      ...secrets,
      ...students.flatMap(({ id_card }) =>
        id_card === null ? [] : [id_card, idNumberOf(app.services, id_card)],
      ),
    ],
  }
}, 120_000)
afterAll(() => app.close())

const readAttemptTag = ({ tag, newTag }: Attempt) => newTag ?? tag

async function buildAttemptBody(attempt: Attempt): Promise<{ body: object; version: number }> {
  app.advance(200) // stays below the rate limit
  const stored = await clients.admin.design.load({ params: { tag: attempt.tag } })
  const definition = { ...withoutStoredKeys(stored), tag: readAttemptTag(attempt) }
  return { body: attempt.change(definition), version: stored.version }
}

/** The codes of the refusal; `allowed` when there is none. */
async function saveAttempt(attempt: Attempt): Promise<string> {
  const { body, version } = await buildAttemptBody(attempt)
  const { design } = clients[attempt.as]
  try {
    await (attempt.newTag === undefined
      ? design.save({ params: { tag: attempt.tag }, body: { ...body, version } })
      : design.create({ body: { ...body } }))
    return 'allowed'
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error
    const { code, issues } = error.problem
    return [code, ...issues.map(({ path, rule }) => `${path} ${rule}`)].join(' | ')
  }
}

/** Writes the definition to the database, past all checks, and returns how to remove it. */
async function plant(attempt: Attempt): Promise<() => Promise<void>> {
  const db = app.services.database.kysely
  const { body } = await buildAttemptBody(attempt)
  const id = app.services.newId()
  await sql`
    insert into sys.entity (id, tenant_id, tag, name, definition, version)
    values (${id}::int8, ${tenant}::int8, ${readAttemptTag(attempt)}, 'planted',
      ${JSON.stringify(body)}::jsonb, 99)`.execute(db)
  app.services.registry.invalidate()
  return async () => {
    await sql`delete from sys.entity where id = ${id}::int8`.execute(db)
    app.services.registry.invalidate()
  }
}

async function fetchText(path: string, as: Client, body?: object): Promise<string> {
  return new TextDecoder().decode(await fetchBytes(path, as, body))
}

async function fetchBytes(
  path: string,
  as: Client,
  body?: object,
): Promise<Uint8Array<ArrayBuffer>> {
  app.advance(40) // stays below the rate limit
  const response = await app.call(path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `bearer ${as.token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  expect(response.status).not.toBe(429)
  return new Uint8Array(await response.arrayBuffer())
}

/** The answers of every reading call on the entity. */
async function readAll(attempt: Attempt, as: Client): Promise<string> {
  const tag = readAttemptTag(attempt)
  const { body } = await buildAttemptBody(attempt)
  const { fields } = body as EntityDefinition
  const page = { pageSize: 50, pageNum: 1, sorts: [], queries: {} }
  const answers = [
    await fetchText(`/entity/${tag}/config`, as),
    await fetchText(`/entity/${tag}/data/page`, as, page),
    await fetchText(`/entity/${tag}/data/export`, as, { ...page, format: 'ndjson' }),
    await fetchText(`/entity/${tag}/data/export`, as, { ...page, format: 'csv' }),
    await fetchText(`/entity/${tag}/tree/children`, as, { parent: '0', pageNum: 1 }),
    await fetchText(`/entity/${tag}/tree/search`, as, { queries: {} }),
    await fetchText(`/entity/${tag}/recycled/page`, as, page),
    await fetchText(`/entity/${tag}/views`, as),
  ]
  const [, listed = ''] = answers
  const ids = [...listed.matchAll(/"id":"(\d+)","version"/g)].map(([, id = '']) => id)
  for (const id of ids.slice(0, 2))
    answers.push(
      await fetchText(`/entity/${tag}/data/${id}`, as),
      await fetchText(`/entity/${tag}/data/${id}/history`, as),
    )
  for (const { id } of fields.filter(
    ({ dictType, dictValue }) => dictType > 0 && dictValue !== null,
  ))
    answers.push(
      await fetchText(`/entity/${tag}/data/dicts/page`, as, {
        fieldId: id,
        pageNum: 1,
        pageSize: 50,
        cascades: { org: ['1'], major: ['1'] },
      }),
    )
  answers.push(await sheetText(await fetchBytes(`/entity/${tag}/data/export-template`, as)))
  answers.push(await previewOfImport(attempt, as, fields, ids[0]))
  answers.push(await previewOfBulk(attempt, as, ids[0]))
  return answers.join('\n')
}

/** Previews an import of one existing row before it is confirmed, and reads its result. */
async function previewOfImport(
  attempt: Attempt,
  as: Client,
  fields: EntityDefinition['fields'],
  id = '1',
): Promise<string> {
  const names = fields
    .filter(({ uiType, attrName }) => findKind(uiType).family !== 'layout' && attrName !== 'id')
    .map(({ attrName }) => attrName)
  const file = toCsv(`id,${names.join(',')}\n${[id, ...names.map(() => '9')].join(',')}\n`)
  app.advance(200) // stays below the rate limit
  const job = await answerOrRefusal(
    importFile(as, readAttemptTag(attempt), file, {
      mode: 'update',
      key: 'id',
      dryRun: 'true',
    } as never),
  )
  if (typeof job === 'string') return job
  const shown = [JSON.stringify(job)]
  for (const verdict of ['wrong', 'changed'] as const)
    shown.push(await fetchText(`/job/${job.id}/rows?verdict=${verdict}`, as))
  shown.push(await sheetText(await fetchBytes(`/job/${job.id}/result`, as)))
  return shown.join('\n')
}

/**
 * Previews a bulk change of the attempt's own fields before it is confirmed, and reads its rows.
 */
async function previewOfBulk(attempt: Attempt, as: Client, id = '1'): Promise<string> {
  const stored = await clients.admin.design.load({ params: { tag: attempt.tag } })
  const before = new Set(stored.fields.map((field) => JSON.stringify(field)))
  const { body } = await buildAttemptBody(attempt)
  const own = (body as EntityDefinition).fields.filter(
    (field) => !before.has(JSON.stringify(field)),
  )
  const shown: string[] = []
  for (const { attrName } of own.slice(0, 2)) {
    app.advance(200) // stays below the rate limit
    const set = { [attrName]: '9' }
    const started = await answerOrRefusal(
      as.bulk.update({ params: { tag: readAttemptTag(attempt) }, body: { ids: [id], set } }),
    )
    if (typeof started === 'string') {
      shown.push(started)
      continue
    }
    shown.push(await checkedBulk(started.id, as))
  }
  return shown.join('\n')
}

/** A bulk change after its check; a definition that was planted may end the check. */
async function checkedBulk(id: string, as: Client): Promise<string> {
  for (let polls = 0; ; polls += 1) {
    const text = await fetchText(`/bulk/${id}`, as)
    const isOver = !/"status":"(?:queued|running)"/.test(text)
    if (isOver || polls === 20)
      return `${text}\n${await sheetText(await fetchBytes(`/bulk/${id}/result`, as))}`
    await new Promise((resolve) => {
      setTimeout(resolve, 20)
    })
  }
}

/** The answer, or the text of the refusal. */
async function answerOrRefusal<T>(work: Promise<T>): Promise<T | string> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof ApiProblem)) throw error
    return JSON.stringify(error.problem)
  }
}

/** All cells of a workbook; any other answer as text. */
async function sheetText(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  if (bytes[0] !== 0x50 || bytes[1] !== 0x4b) return new TextDecoder().decode(bytes)
  const book = new ExcelJS.Workbook()
  await book.xlsx.load(bytes.buffer)
  return JSON.stringify(book.worksheets.map((sheet) => sheet.getSheetValues()))
}

it('are at least 40, by as many properties', () => {
  expect(new Set(attempts.map(({ tag, by, as }) => `${as} ${tag} ${by}`)).size).toBe(
    attempts.length,
  )
  expect(attempts.length).toBeGreaterThanOrEqual(40)
})

describe.each(attempts)('$as: $name of $tag ($by)', (attempt) => {
  it('is refused when it is saved', async () => {
    expect(await saveAttempt(attempt)).toMatch(
      /^(403|42200 \|.*entity\.E(029|037|05[1-9]|006|007|052|098))/,
    )
  })
  it('shows nothing when it is in the database', async () => {
    const remove = await plant(attempt)
    try {
      const shown = await readAll(attempt, clients[attempt.as])
      for (const secret of forbidden[attempt.as]) expect(shown).not.toContain(secret)
    } finally {
      await remove()
    }
  })
})
