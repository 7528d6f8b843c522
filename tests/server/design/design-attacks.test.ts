// Attacks by users who may design: parts of a definition that could be run or opened are checked
// when it is saved, and again when it is used (docs/rules/security.md#i1 to #i6).
import { ApiProblem } from '@jiaowu/api/problem'
import { withoutStoredKeys } from '@jiaowu/api/entity/definition/stored'
import type { EntityDefinition, FieldDraft } from '@jiaowu/api/entity/definition/definition'
import { entityOfPortable, portableEntity } from '@jiaowu/api/entity/definition/portable'
import type { SavedEntity } from '@jiaowu/api/contract/design'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

type Client = Awaited<ReturnType<TestApp['signIn']>>
let app: TestApp
let admin: Client
/** May design, but not write SQL. */
let designer: Client
const tag = 'EDU_CLASS'
const at = { params: { tag } } as const
beforeAll(async () => {
  app = await testApp()
  admin = await app.signIn('admin')
  const role =
    (
      await admin.entityData.page({
        params: { tag: 'SYS_ROLE' },
        body: { pageSize: 100, queries: {} },
      })
    ).records.find((row) => row['code'] === 'ROLE_CLERK')?.id ?? ''
  const { version } = await admin.role.permissions({ params: { id: role } })
  await admin.role.savePermissions({
    params: { id: role },
    body: {
      version,
      codes: [
        'entity:design',
        `entity:${tag}:view`,
        `entity:${tag}:add`,
        'entity:EDU_FACULTY:view',
      ],
      rules: [],
    },
  })
  designer = await app.signIn('clerk')
})
afterAll(() => app.close())

async function judge(attempt: Promise<unknown>): Promise<string> {
  const error = await attempt.then(
    () => null,
    (caught: unknown) => caught,
  )
  if (error === null) return 'allowed'
  if (!(error instanceof ApiProblem))
    throw new Error('it was not refused in words', { cause: error })
  return [
    error.problem.code,
    ...error.problem.issues.map(({ path, rule }) => `${path} ${rule}`),
  ].join(' ')
}
const loadDesign = (as: Client = admin): Promise<SavedEntity> => as.design.load(at)
function saveAs(body: object, as: Client = admin): Promise<SavedEntity> {
  return as.design.save({ ...at, body: { ...body } })
}
function buildField(more: Partial<FieldDraft>): FieldDraft {
  return {
    id: '-1',
    attrName: 'extra',
    uiLabel: '附加',
    uiType: 'input',
    isDetail: 1,
    isList: 1,
    ...more,
  }
}
function withField(entity: SavedEntity, more: Partial<FieldDraft>) {
  return {
    ...entity,
    fields: [...entity.fields.filter(({ attrName }) => attrName !== 'extra'), buildField(more)],
  }
}
function readSql(entity: Pick<EntityDefinition, 'fields'>, name = 'extra') {
  const found = entity.fields.find(({ attrName }) => attrName === name)
  return [found?.dictValue, found?.defaultValue]
}
/** Writes a definition directly to the database, without any check. */
async function smuggle(change: (entity: EntityDefinition) => EntityDefinition) {
  const stored = await loadDesign()
  await app.services.database.kysely
    .updateTable('sys.entity')
    .set({ definition: JSON.stringify(change(withoutStoredKeys(stored))) })
    .where('id', '=', stored.id)
    .execute()
  app.services.registry.invalidate()
}

const choices = 'select id, name from biz.faculty order by id'
const count = 'select count(*) from biz.faculty'

describe('custom SQL and users without permission to write it', () => {
  it('is hidden in the definition, its revisions, a conflict and the audit log', async () => {
    const saved = await saveAs(
      withField(await loadDesign(), {
        uiType: 'select',
        dictType: 2,
        dictValue: choices,
        uiDefaultType: 3,
        defaultValue: count,
      }),
    )
    expect(readSql(saved)).toEqual([choices, count])
    const seen = await loadDesign(designer)
    expect(readSql(seen)).toEqual([
      expect.stringMatching(/^\[\[sql [\w-]{16}\]\]$/),
      expect.stringMatching(/^\[\[sql [\w-]{16}\]\]$/),
    ])
    expect(seen.findings).toEqual(saved.findings)
    const { definition } = await designer.design.revision({
      params: { tag, version: String(saved.version) },
    })
    expect(readSql(definition)).toEqual(readSql(seen))
    expect(readSql(await designer.design.get({ params: { id: saved.id } }))).toEqual(readSql(seen))
    const stale: unknown = await saveAs({ ...seen, version: seen.version - 1 }, designer).catch(
      (error: ApiProblem) => error.problem,
    )
    expect(stale).toMatchObject({ code: 40900, data: { tag } })
    expect(
      JSON.stringify([
        stale,
        await designer.entityData.config(at),
        await designer.design.check({ body: { ...seen } }),
      ]),
    ).not.toContain('biz.faculty')
  })
  it('is kept when they save, from the editor or a file', async () => {
    const seen = await loadDesign(designer)
    const renamed = await saveAs({ ...seen, name: '班级（设计）', note: '改名' }, designer)
    expect([renamed.name, readSql(renamed)]).toEqual(['班级（设计）', readSql(seen)])
    expect(readSql(await loadDesign())).toEqual([choices, count])
    const file = JSON.parse(JSON.stringify(portableEntity(withoutStoredKeys(renamed)))) as object
    const applied = await saveAs(
      { ...(entityOfPortable(file) as object), version: renamed.version },
      designer,
    )
    expect(readSql(await loadDesign())).toEqual([choices, count])
    // Renaming the field keeps the SQL.
    const moved = await saveAs(
      {
        ...applied,
        fields: applied.fields.map((each) =>
          each.attrName === 'extra' ? { ...each, attrName: 'more' } : each,
        ),
      },
      designer,
    )
    expect(readSql(await loadDesign(), 'more')).toEqual([choices, count])
    await saveAs(
      {
        ...moved,
        fields: moved.fields.map((each) =>
          each.attrName === 'more' ? { ...each, attrName: 'extra' } : each,
        ),
      },
      designer,
    )
  })
  it('still gives them its choices', async () => {
    const fieldId =
      (await loadDesign()).fields.find(({ attrName }) => attrName === 'extra')?.id ?? ''
    const found = await designer.entityData.lookup({ ...at, body: { fieldId } })
    expect('records' in found && found.records.length).toBe(6)
    expect(
      (await designer.entityData.config(at)).fields.find(({ attrName }) => attrName === 'extra')
        ?.defaultValue,
    ).toBe('6')
  })
  it('is not revealed by its placeholder in another field or entity, or an invented one', async () => {
    const seen = await loadDesign(designer)
    const [hidden = '', hiddenDefault = ''] = readSql(seen)
    const other = (more: Partial<FieldDraft>) => ({
      ...seen,
      fields: [...seen.fields, buildField({ attrName: 'other', id: '-2', ...more })],
    })
    expect(
      await judge(saveAs(other({ uiType: 'select', dictType: 2, dictValue: hidden }), designer)),
    ).toBe('403')
    expect(await judge(saveAs(other({ uiDefaultType: 3, defaultValue: hidden }), designer))).toBe(
      '403',
    )
    expect(
      await judge(
        saveAs(withField(seen, { uiType: 'select', dictType: 0, dictValue: hidden }), designer),
      ),
    ).toBe('42200 fields.extra.dictValue entity.E032')
    // In a text the placeholder stays a placeholder.
    const plain = await saveAs(
      withField(seen, { uiDefaultType: 0, defaultValue: hiddenDefault }),
      designer,
    )
    expect([readSql(plain)[1], readSql(await loadDesign())[1]]).toEqual([
      hiddenDefault,
      hiddenDefault,
    ])
    const stranger = '[[sql AAAAAAAAAAAAAAAA]]'
    expect(
      await judge(saveAs(withField(plain, { uiType: 'select', dictType: 2, dictValue: stranger }))),
    ).toBe('42200 fields.extra.dictValue entity.E037')
    expect(
      (
        await admin.design.check({
          body: withField(plain, { uiType: 'select', dictType: 2, dictValue: stranger }),
        })
      ).findings
        .map(({ msg }) => msg)
        .join(),
    ).toContain('原文已隐藏')
    expect(
      await judge(
        designer.design.create({ body: { ...withoutStoredKeys(seen), tag: 'EDU_CLASS_COPY' } }),
      ),
    ).toMatch(/^42200 .*entity\.E037/)
    // A user who may write SQL can restore it from an earlier revision.
    expect(
      readSql(
        await saveAs(
          withField(plain, {
            uiType: 'select',
            dictType: 2,
            dictValue: hidden,
            uiDefaultType: 3,
            defaultValue: hiddenDefault,
          }),
        ),
      ),
    ).toEqual([choices, count])
  })
  it('is not written by them', async () => {
    const seen = await loadDesign(designer)
    expect(
      await judge(
        saveAs(
          withField(seen, {
            uiType: 'select',
            dictType: 2,
            dictValue: 'select id, name from biz.major',
          }),
          designer,
        ),
      ),
    ).toBe('403')
    const without = await saveAs(
      { ...seen, fields: seen.fields.filter(({ attrName }) => attrName !== 'extra') },
      designer,
    )
    expect(without.fields.map(({ attrName }) => attrName)).not.toContain('extra')
  })
})

/**
 * I3: statements other than one bounded SELECT of business tables. See compile.test.ts for all
 * forms.
 */
const badSql = [
  'select 1 as id; drop table biz.faculty',
  'with gone as (delete from biz.faculty returning id, name) select id, name from gone',
  'select id, name from biz.faculty for update',
  'select account as id, password_hash as name from sys.app_user',
  `select pg_read_file('/etc/passwd') as id, '' as name`,
  `select set_config('app.tenant', '10001', false) as id, '' as name`,
  'select id, name from biz.faculty, generate_series(1, 100000000)',
  'select id, name from pg_catalog.pg_class',
  'copy biz.faculty to stdout',
]
describe('I3 custom SQL', () => {
  it.each(badSql)(
    'is refused at save and, written to the database, when it runs: %s',
    async (source) => {
      const entity = await loadDesign()
      expect(
        await judge(
          saveAs(withField(entity, { uiType: 'select', dictType: 2, dictValue: source })),
        ),
      ).toBe('42200 fields.extra.dictValue entity.E037')
      expect(
        await judge(saveAs(withField(entity, { uiDefaultType: 3, defaultValue: source }))),
      ).toBe('42200 fields.extra.defaultValue entity.E029')
      await smuggle((definition) => ({
        ...definition,
        fields: [
          ...definition.fields.filter(({ attrName }) => attrName !== 'extra'),
          {
            ...definition.fields[0],
            ...buildField({
              id: '7777',
              columnName: null,
              tableName: null,
              uiType: 'select',
              dictType: 2,
              dictValue: source,
              uiDefaultType: 3,
              defaultValue: source,
            }),
          } as EntityDefinition['fields'][number],
        ],
      }))
      expect(await judge(admin.entityData.lookup({ ...at, body: { fieldId: '7777' } }))).toBe('422')
      expect(
        (await admin.entityData.config(at)).fields.find(({ attrName }) => attrName === 'extra'),
      ).toMatchObject({ uiDefaultType: -1, defaultValue: null })
      await smuggle((definition) => ({
        ...definition,
        fields: definition.fields.filter(({ attrName }) => attrName !== 'extra'),
      }))
      expect(
        (
          await sql<{ n: number }>`select count(*)::int4 as n from biz.faculty`.execute(
            app.services.database.kysely,
          )
        ).rows[0]?.n,
      ).toBeGreaterThan(0)
    },
  )
  it('binds the values of a form', async () => {
    const saved = await saveAs(
      withField(await loadDesign(), {
        uiType: 'select',
        dictType: 2,
        dictValue: `select id, name from biz.faculty where name = :searchKey`,
      }),
    )
    const fieldId = saved.fields.find(({ attrName }) => attrName === 'extra')?.id ?? ''
    const found = await admin.entityData.lookup({
      ...at,
      body: { fieldId, searchKey: `' or '1' = '1` },
    })
    expect('records' in found && found.records).toEqual([])
    await saveAs({ ...saved, fields: saved.fields.filter(({ attrName }) => attrName !== 'extra') })
  })
})

describe('I1 names', () => {
  it.each(['id; drop table biz.class', 'name" or 1=1 --', 'tenant_id::text', '(select 1)', 'Name'])(
    'of a column come from the catalog: %s',
    async (columnName) => {
      expect(
        await judge(saveAs(withField(await loadDesign(), { columnName, tableName: 'class' }))),
      ).toBe('42200 fields.extra.columnName entity.E003')
      await smuggle((definition) => ({
        ...definition,
        fields: [
          ...definition.fields,
          {
            ...definition.fields[0],
            ...buildField({ columnName, tableName: 'class', isQuery: 1 }),
          } as EntityDefinition['fields'][number],
        ],
      }))
      expect(
        (await admin.entityData.config(at)).fields.map(({ attrName }) => attrName),
      ).not.toContain('extra')
      expect(await judge(admin.entityData.page({ ...at, body: { queries: { extra: '1' } } }))).toBe(
        '42200 queries.extra unknownField',
      )
      await smuggle((definition) => ({
        ...definition,
        fields: definition.fields.filter(({ attrName }) => attrName !== 'extra'),
      }))
    },
  )
  it('of tables exist in the catalog, and tables must be of an offered schema', async () => {
    const { id: _id, ...entity } = await loadDesign()
    for (const tableName of ['class; drop table biz.class', '"class"', 'biz.class'])
      expect(
        await judge(admin.design.create({ body: { ...entity, tag: 'NEW_ONE', tableName } })),
      ).toMatch(/^42200 .*entity\.E002/)
    expect(
      await judge(
        admin.design.create({
          body: { ...entity, tag: 'NEW_ONE', schemaName: 'pg_catalog', tableName: 'pg_authid' },
        }),
      ),
    ).toMatch(/^42200 .*entity\.E002/)
    for (const tableName of ['', 'x'.repeat(64), 'a\u0000b'])
      expect(
        await judge(admin.design.create({ body: { ...entity, tag: 'NEW_ONE', tableName } })),
      ).toMatch(/^42200 /)
    expect(
      await judge(
        admin.design.create({ body: { ...entity, tag: 'NEW_ONE', tableName: 'app_user' } }),
      ),
    ).toMatch(/^42200 .*entity\.E002/)
    expect(
      await judge(
        admin.design.create({
          body: {
            ...withoutStoredKeys(await admin.design.load({ params: { tag: 'SYS_USER' } })),
            tag: 'NEW_ONE',
          },
        }),
      ),
    ).toBe('403')
    for (const name of ['../SYS_USER', 'A', 'x'.repeat(70), '__proto__'])
      expect(await judge(admin.design.create({ body: { ...entity, tag: name } }))).toMatch(
        /^42200 /,
      )
  })
})

function buildButton(more: object) {
  return {
    code: 'attack',
    name: '攻击',
    position: 2,
    eventContent: [{ do: 'refresh' }],
    ...more,
  }
}
describe('I4 and I5 expressions and buttons', () => {
  it.each([
    'process.exit()',
    'row.constructor.constructor("return 1")()',
    'fetch("//evil")',
    'row.name = 1',
    'row => row',
    '(() => 1)()',
    'row["__proto__"].x = 1',
    'row.name; row.name',
    '`${row.name}`',
    'new Date()',
    `${'('.repeat(40)}1${')'.repeat(40)}`,
    `${'row.name == 1 or '.repeat(200)}1`,
  ])('is no expression: %s', async (positionExp) =>
    expect(
      await judge(saveAs({ ...(await loadDesign()), buttons: [buildButton({ positionExp })] })),
    ).toMatch(/^42200 .*entity\.E(000|081)/),
  )
  it.each([
    [{ eventContent: 'alert(1)' }, 'entity.E094'],
    [{ eventContent: [{ do: 'script', code: 'alert(1)' }] }, 'entity.E000'],
    [{ eventContent: [{ do: 'open', to: 'javascript:alert(1)' }] }, 'entity.E085'],
    [{ eventContent: [{ do: 'open', to: '//evil.example' }] }, 'entity.E085'],
    [{ eventContent: [{ do: 'request', tag: 'NO_SUCH', method: 'remove' }] }, 'entity.E084'],
    [{ eventContent: [{ do: 'setField', attrName: 'version', value: '1' }] }, 'entity.E083'],
    [{ eventType: 3 }, 'entity.E000'],
  ])('does only what is declared: %o %s', async (more, verdict) => {
    const entity = await loadDesign()
    expect(await judge(saveAs({ ...entity, buttons: [buildButton(more)] }))).toContain(verdict)
  })
  it('hides scripts and SQL of buttons, and checks the permission on each row they change', async () => {
    const entity = await loadDesign()
    // A script can only be in a definition that was stored before such buttons were refused.
    await smuggle((definition) => ({
      ...definition,
      buttons: [
        buildButton({ eventContent: 'alert(1)' }),
        buildButton({ code: 'sql', eventType: 2, eventContent: 'delete from biz.class' }),
      ] as EntityDefinition['buttons'],
    }))
    const { buttons } = await designer.entityData.config(at)
    expect(buttons.map(({ code, eventContent }) => [code, eventContent])).toEqual([
      ['attack', null],
      ['sql', null],
    ])
    const row = (await admin.entityData.page({ ...at, body: {} })).records[0]
    expect(
      await judge(
        designer.entityData.update({
          params: { tag, id: row?.id ?? '' },
          body: { version: row?.version ?? 1, name: '改' },
        }),
      ),
    ).toBe('403')
    await smuggle((definition) => ({ ...definition, buttons: entity.buttons }))
  })
})

describe('I6 addresses', () => {
  it.each([
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,<script>',
    '//evil.example',
    'vbscript:x',
    'file:///etc/passwd',
    'http:/evil',
    'https://{name}.evil.example',
  ])('are the web’s or this site’s: %s', async (linkUrl) =>
    expect(await judge(saveAs(withField(await loadDesign(), { linkType: 1, linkUrl })))).toBe(
      '42200 fields.extra.linkUrl entity.E091',
    ),
  )
})
