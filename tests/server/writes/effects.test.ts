// Every kind of write goes past every effect (docs/decisions/0022-one-write-path.md). The table of effects is
// wrapped by a recorder, and a probe is added to it as a new effect would be.
import type { Client } from '@jiaowu/api/endpoint'
import type { contract } from '@jiaowu/api/contract/contract'
import { isJobOver } from '@jiaowu/api/contract/job'
import { toProblem } from '@jiaowu/api/problem'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { sql } from 'kysely'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { writeEffects } from '../../../apps/server/src/entities/write/effects.ts'
import {
  readRowKeys,
  type WriteEffect,
  type WriteKind,
  writeKinds,
} from '../../../apps/server/src/entities/write/writer.ts'
import { runHousekeeping } from '../../../apps/server/src/start/housekeeping.ts'
import { toCsv, importFile } from '../../support/imports.ts'

type Api = Client<typeof contract>
let app: TestApp
let api: Api

interface Seen {
  readonly step: string
  readonly kind: WriteKind
  readonly keys: readonly string[]
}
const effects: WriteEffect[] = writeEffects
const originals = [...effects]
let seen: Seen[] = []

/** An effect of a later day: a hook, a notice, an approval. */
const probe: WriteEffect = {
  name: 'probe',
  before: { kinds: writeKinds, run: async () => {} },
  after: { kinds: writeKinds, run: async () => {} },
}

function readRecorded(effect: WriteEffect): WriteEffect {
  const step = (name: 'before' | 'after') => {
    const found = effect[name]
    if (found === undefined) return {}
    const run: typeof found.run = async (batch) => {
      for (const [kind, rows] of Map.groupBy(batch.rows, (row) => row.kind))
        seen.push({ step: `${name} ${effect.name}`, kind, keys: readRowKeys(rows) })
      return await found.run(batch)
    }
    return { [name]: { kinds: found.kinds, run } }
  }
  return { name: effect.name, ...step('before'), ...step('after') }
}

/** Effects that a write of the kind goes past, in this order. */
function listSteps(kind: WriteKind): string[] {
  return (['before', 'after'] as const).flatMap((phase) =>
    [...originals, probe].flatMap((effect) =>
      effect[phase]?.kinds.includes(kind) === true ? [`${phase} ${effect.name}`] : [],
    ),
  )
}

beforeAll(async () => {
  app = await testApp({ RECYCLE_DAYS: '30' })
  api = await app.signIn('admin')
})
afterAll(() => app.close())
beforeEach(() => {
  seen = []
  effects.splice(0, effects.length, ...[...originals, probe].map(readRecorded))
})
afterEach(() => {
  effects.splice(0, effects.length, ...originals)
})

const course = 'EDU_COURSE'
let made = 0
async function values() {
  const { records } = await api.entityData.page({ params: { tag: course }, body: { pageSize: 1 } })
  made += 1
  const [faculty] = (records[0]?.['faculty'] ?? []) as readonly { id: string; name: string }[]
  return {
    code: `W${made}`,
    name: `写入${made}`,
    credit: 2,
    faculty: faculty === undefined ? [] : [faculty],
  }
}
async function make(tag = course): Promise<string> {
  made += 1
  const body = tag === course ? await values() : { code: `W${made}`, name: `写入${made}` }
  return (await api.entityData.create({ params: { tag }, body })).id
}
async function readVersion(tag: string, id: string) {
  return (await api.entityData.get({ params: { tag, id } })).version ?? 0
}
async function bin(id: string): Promise<string> {
  await api.entityData.remove({ params: { tag: course, ids: id } })
  return id
}
async function listApplied(job: Promise<{ readonly id: string }>): Promise<void> {
  const { id } = await job
  for (let isSent = false; ;) {
    const now = await api.bulk.get({ params: { id } })
    if (now.status === 'paused' && !isSent) {
      isSent = true
      await api.bulk.apply({ params: { id }, body: { count: now.changed } })
    }
    if (isJobOver(now)) {
      expect(now).toMatchObject({ status: 'done' })
      return
    }
    await new Promise((resolve) => {
      setTimeout(resolve, 20)
    })
  }
}
async function findFirst(tag: string, queries: Record<string, unknown> = {}): Promise<string> {
  const { records } = await api.entityData.page({
    params: { tag },
    body: { queries, pageSize: 1 },
  })
  return records[0]?.id ?? ''
}

interface Way {
  readonly kind: WriteKind
  readonly tag: string
  /** Counts the lines about the rows, and about a job that writes them. */
  readonly audit: string
  /** Prepares the write, and answers what does it. */
  readonly prepare: () => Promise<() => Promise<unknown>>
  /** The rows' history has no line of it: it holds no passwords, and purged rows have none. */
  readonly isUntold?: boolean
}

/** Every way by which rows of entities are written. */
const ways: Readonly<Record<string, Way>> = {
  'a form that creates': {
    kind: 'create',
    tag: course,
    audit: 'entity.add',
    prepare: async () => {
      const body = await values()
      return () => api.entityData.create({ params: { tag: course }, body })
    },
  },
  'a form, a cell of a grid, an entry sheet, a button that sets a field': {
    kind: 'update',
    tag: course,
    audit: 'entity.update',
    prepare: async () => {
      const id = await make()
      const version = await readVersion(course, id)
      return () =>
        api.entityData.update({ params: { tag: course, id }, body: { version, name: '改过' } })
    },
  },
  'rows of an entry sheet that are added': {
    kind: 'create',
    tag: 'EDU_GRADE',
    audit: 'entity.add',
    prepare: async () => {
      const id = await make()
      const term = await findFirst('SYS_DICT_ITEM', { dictCode: 'term' })
      const item = await api.entityData.get({ params: { tag: 'SYS_DICT_ITEM', id: term } })
      const { records } = await api.entityData.page({
        params: { tag: 'EDU_STUDENT' },
        body: { pageSize: 1 },
      })
      const [chosen] = (records[0]?.['class'] ?? []) as readonly { id: string }[]
      return async () => {
        const added = await api.entry.add({
          params: { tag: 'EDU_GRADE' },
          body: {
            by: { course: id, term: String(item['itemCode']) },
            from: { class: chosen?.id ?? '' },
          },
        })
        expect(added).toMatchObject({ refusals: 0 })
      }
    },
  },
  'an import that adds': {
    kind: 'create',
    tag: course,
    audit: 'entity.import.rows',
    prepare: async () => {
      const { code, name, faculty } = await values()
      const file = toCsv(`code,name,credit,faculty\n${code},${name},2,${faculty[0]?.name}\n`)
      return async () =>
        expect(await importFile(api, course, file, { onError: 'skip' })).toMatchObject({
          status: 'done',
          inserted: 1,
        })
    },
  },
  'an import that changes, as a paste into a grid does': {
    kind: 'update',
    tag: course,
    audit: 'entity.import.rows',
    prepare: async () => {
      const id = await make()
      const file = toCsv(`${JSON.stringify({ id, name: '粘贴' })}\n`, 'rows.ndjson')
      return async () =>
        expect(
          await importFile(api, course, file, { mode: 'update', key: 'id', onError: 'skip' }),
        ).toMatchObject({ status: 'done', updated: 1 })
    },
  },
  'a bulk change': {
    kind: 'update',
    tag: course,
    audit: 'entity.bulk.update',
    prepare: async () => {
      const ids = [await make(), await make()]
      return () =>
        listApplied(
          api.bulk.update({ params: { tag: course }, body: { ids, set: { name: '成批' } } }),
        )
    },
  },
  'a bulk deletion': {
    kind: 'delete',
    tag: course,
    audit: 'entity.bulk.delete',
    prepare: async () => {
      const ids = [await make(), await make()]
      return () => listApplied(api.bulk.remove({ params: { tag: course }, body: { ids } }))
    },
  },
  'a deletion': {
    kind: 'delete',
    tag: course,
    audit: 'entity.delete',
    prepare: async () => {
      const ids = `${await make()},${await make()}`
      return () => api.entityData.remove({ params: { tag: course, ids } })
    },
  },
  'a return from the recycle bin': {
    kind: 'restore',
    tag: course,
    audit: 'entity.restore',
    prepare: async () => {
      const ids = await bin(await make())
      return () => api.history.restore({ params: { tag: course, ids } })
    },
  },
  'a purge': {
    kind: 'purge',
    tag: course,
    audit: 'entity.purge',
    isUntold: true,
    prepare: async () => {
      const ids = await bin(await make())
      return () => api.history.purge({ params: { tag: course, ids }, body: { count: 1 } })
    },
  },
  'the end of the time in the recycle bin': {
    kind: 'purge',
    tag: course,
    audit: 'entity.expire',
    isUntold: true,
    prepare: async () => {
      const id = await bin(await make())
      await sql`
        update biz.course set deleted_at = now() - interval '31 days'
        where tenant_id = 10000 and id = ${id}::int8`.execute(app.services.database.kysely)
      return () => runHousekeeping(app.services)
    },
  },
  'a move in a tree': {
    kind: 'move',
    tag: 'SYS_ORG',
    audit: 'entity.move',
    prepare: async () => {
      const [id, parent] = [await make('SYS_ORG'), await make('SYS_ORG')]
      const version = await readVersion('SYS_ORG', id)
      return () =>
        api.tree.move({ params: { tag: 'SYS_ORG', id }, body: { version, parent, before: null } })
    },
  },
  'a new order of rows': {
    kind: 'move',
    tag: 'SYS_DICT_ITEM',
    audit: 'entity.order',
    prepare: async () => {
      const { records } = await api.entityData.page({
        params: { tag: 'SYS_DICT_ITEM' },
        body: { queries: { dictCode: 'term' }, pageSize: 200 },
      })
      const ids = records.map(({ id }) => id).toReversed()
      return () => api.tree.order({ params: { tag: 'SYS_DICT_ITEM' }, body: { ids } })
    },
  },
  'the second route of dictionary items': {
    kind: 'update',
    tag: 'SYS_DICT_ITEM',
    audit: 'entity.update',
    prepare: async () => {
      const id = await findFirst('SYS_DICT_ITEM', { dictCode: 'term' })
      const version = await readVersion('SYS_DICT_ITEM', id)
      return () => api.dictionaryItem.update({ body: { id, version, name: `改${id}` } })
    },
  },
  'a new password for an account': {
    kind: 'update',
    tag: 'SYS_USER',
    audit: 'account.resetPassword',
    isUntold: true,
    prepare: async () => {
      const id = await findFirst('SYS_USER', { account: 'clerk' })
      return () => api.account.resetPassword({ params: { id } })
    },
  },
}

const tables: Readonly<Record<string, string>> = {
  [course]: 'biz.course',
  EDU_GRADE: 'biz.grade',
  SYS_ORG: 'sys.org',
  SYS_DICT_ITEM: 'sys.dict_item',
  SYS_USER: 'sys.app_user',
}

const actions = {
  create: 'add',
  update: 'update',
  move: 'update',
  delete: 'delete',
  restore: 'restore',
  purge: '',
} as const satisfies Record<WriteKind, string>

/** Reads the traces of writes to the entity so far. */
async function readTraces(tag: string) {
  const { kysely } = app.services.database
  const { rows: versions } = await sql<{ version: string }>`
    select version::text as version from sys.table_version
    where tenant_id = 10000 and table_name = ${tables[tag] ?? ''}::text`.execute(kysely)
  const { rows: lines } = await sql<{ action: string }>`
    select action from sys.audit_log
    where tenant_id = 10000 and object = ${tag}::text`.execute(kysely)
  const { rows: history } = await sql<{ row_id: string; action: string }>`
    select row_id, action from sys.row_history
    where tenant_id = 10000 and tag = ${tag}::text`.execute(kysely)
  return {
    version: Number(versions[0]?.version ?? 0),
    audit: lines.map(({ action }) => action),
    history: history.map(({ row_id, action }) => `${row_id} ${action}`),
  }
}
const count = (list: readonly string[], item: string) => list.filter((each) => each === item).length

describe.each(Object.entries(ways))('%s', (_name, way) => {
  it('goes past every effect of its kind, in their order, and leaves its traces', async () => {
    const write = await way.prepare()
    const before = await readTraces(way.tag)
    seen = []
    await write()
    const after = await readTraces(way.tag)
    const mine = seen.filter(({ kind }) => kind === way.kind)
    // A job tries its rows before it writes them, and an entry sheet writes each of its rows by itself.
    const steps = listSteps(way.kind)
    expect(mine.length % steps.length).toBe(0)
    expect(mine.length).toBeGreaterThan(0)
    for (let at = 0; at < mine.length; at += steps.length)
      expect(mine.slice(at, at + steps.length).map(({ step }) => step)).toEqual(steps)
    const keys = [...new Set(mine.slice(-1).flatMap((each) => each.keys))]
    expect(keys.length).toBeGreaterThan(0)
    expect(after.version).toBeGreaterThan(before.version)
    expect(count(after.audit, way.audit)).toBeGreaterThan(count(before.audit, way.audit))
    for (const key of keys) {
      const line = `${key} ${actions[way.kind]}`
      expect(count(after.history, line) - count(before.history, line)).toBe(
        way.isUntold === true ? 0 : 1,
      )
    }
    if (way.kind === 'purge')
      expect(after.history.filter((line) => keys.includes(line.split(' ')[0] ?? ''))).toEqual([])
  })
})

describe('a new effect', () => {
  it('is asked of every kind of write', () => {
    expect(new Set(Object.values(ways).map(({ kind }) => kind))).toEqual(new Set(writeKinds))
  })

  it.each(Object.entries(ways))('can refuse %s, and nothing is written', async (_name, way) => {
    const write = await way.prepare()
    const before = await readTraces(way.tag)
    effects.push({
      name: 'refusal',
      after: {
        kinds: writeKinds,
        run: async () => {
          throw new Error('refused by the probe')
        },
      },
    })
    seen = []
    await write().catch(() => {})
    expect(seen.filter(({ kind }) => kind === way.kind).length).toBeGreaterThan(0)
    const after = await readTraces(way.tag)
    expect({ version: after.version, history: after.history }).toEqual({
      version: before.version,
      history: before.history,
    })
  })
})

describe('a row of a job that is refused after it was written', () => {
  it('leaves no history, and those of its chunk have one line each', async () => {
    const [inside, outside] = [await make(), await make()]
    const roles = await api.entityData.page({ params: { tag: 'SYS_ROLE' }, body: {} })
    const id = roles.records.find(({ code }) => code === 'ROLE_VIEWER')?.id ?? ''
    const { version, codes } = await api.role.permissions({ params: { id } })
    await api.role.savePermissions({
      params: { id },
      body: {
        version,
        codes: [...codes, `entity:${course}:update`],
        rules: [{ tag: course, scope: 'expression', expression: 'row.credit < 5', overrides: {} }],
      },
    })
    const reader = await app.signIn('viewer')
    const job = await importFile(reader, course, toCsv(`id,credit\n${inside},3\n${outside},9\n`), {
      mode: 'update',
      key: 'id',
      onError: 'skip',
    })
    expect(job).toMatchObject({ status: 'done', updated: 1, failed: 1 })
    const { history } = await readTraces(course)
    expect(count(history, `${inside} update`)).toBe(1)
    expect(count(history, `${outside} update`)).toBe(0)
  })
})

describe('the last administrator', () => {
  it('is kept by each way of writing accounts', async () => {
    const id = await findFirst('SYS_USER', { account: 'admin' })
    const status = async () =>
      (await api.entityData.get({ params: { tag: 'SYS_USER', id } }))['status']
    const was = await status()
    const params = { tag: 'SYS_USER' }
    const refusal = await api.entityData
      .update({
        params: { ...params, id },
        body: { version: await readVersion('SYS_USER', id), status: '0' },
      })
      .then(() => null, toProblem)
    expect(refusal?.code).toBe(409)
    expect(
      (await api.entityData.remove({ params: { ...params, ids: id } }).then(() => null, toProblem))
        ?.code,
    ).toBe(409)
    const job = await importFile(api, 'SYS_USER', toCsv(`id,status\n${id},0\n`), {
      mode: 'update',
      key: 'id',
      onError: 'skip',
    })
    expect(job).toMatchObject({ updated: 0 })
    const bulk = await api.bulk.update({ params, body: { ids: [id], set: { status: '0' } } })
    for (;;) {
      const now = await api.bulk.get({ params: { id: bulk.id } })
      if (now.status === 'paused' || isJobOver(now)) {
        expect(now).toMatchObject({ changed: 0 })
        break
      }
      await new Promise((resolve) => {
        setTimeout(resolve, 20)
      })
    }
    expect(await status()).toEqual(was)
  })
})

describe('the source of the server', () => {
  it('writes to the tables of entities in one folder', () => {
    const folder = join(import.meta.dirname, '../../../apps/server/src/entities')
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (path) => path.endsWith('.ts') && !path.endsWith('.test.ts'),
    )
    const writing = files.filter((path) =>
      /(insert into|update|delete from)\s+\$\{(tableName|fromTable|into)\(/.test(
        readFileSync(join(folder, path), 'utf8'),
      ),
    )
    expect(writing.map((path) => path.replaceAll('\\', '/')).toSorted()).toEqual([
      'write/statements/insert-row.ts',
      'write/statements/insert-rows.ts',
      'write/statements/remove-rows.ts',
      'write/statements/update-rows.ts',
    ])
  })
})
