import { limits } from '@jiaowu/api/limits'
import { toProblem } from '@jiaowu/api/problem'
import { type TestApp, testApp } from '@jiaowu/server/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toCsv, importFile, waitForJob } from '../../support/imports.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
beforeAll(async () => {
  app = await testApp()
  admin = await app.signIn('admin')
})
afterAll(() => app.close())

const captureTreeProblem = (work: Promise<unknown>) => work.then(() => null, toProblem)
const captureTreeCode = async (work: Promise<unknown>) =>
  (await captureTreeProblem(work))?.code ?? 200
const org = 'SYS_ORG'
async function under(parent: string, as = admin) {
  return (await as.tree.children({ params: { tag: org }, body: { parent } })).records
}
function listNodeNames(nodes: readonly { readonly row: { readonly [name: string]: unknown } }[]) {
  return nodes.map(({ row }) => row['name'])
}
async function addOrganisation(name: string, pid?: string) {
  return (
    await admin.entityData.create({
      params: { tag: org },
      body: { code: name, name, ...(pid === undefined ? {} : { pid: [{ id: pid, name: '' }] }) },
    })
  ).id
}
const loadOrganisation = (id: string) => admin.entityData.get({ params: { tag: org, id } })
async function move(id: string, parent: string, before: string | null = null, as = admin) {
  return as.tree.move({
    params: { tag: org, id },
    body: { version: (await loadOrganisation(id)).version ?? 1, parent, before },
  })
}

describe('a tree of records', () => {
  let school = ''
  beforeAll(async () => {
    school = (await under('0'))[0]?.row.id ?? ''
  })

  it('is part of the configuration, and loads one level at a time', async () => {
    expect((await admin.entityData.config({ params: { tag: org } })).tree).toEqual({
      parentField: 'pid',
      sortField: 'sort',
    })
    expect((await admin.entityData.config({ params: { tag: 'SYS_STATION' } })).tree).toBeUndefined()
    const [root, ...more] = await under('0')
    expect([listNodeNames(root === undefined ? [] : [root]), more, root?.children]).toEqual([
      ['示范大学'],
      [],
      7,
    ])
    expect((await under(school)).map(({ parent, children }) => [parent, children])).toEqual(
      Array.from({ length: 7 }, () => [school, 0]),
    )
    expect(
      await captureTreeCode(admin.tree.children({ params: { tag: 'SYS_STATION' }, body: {} })),
    ).toBe(403)
  })
  it('moves records by order and parent, renumbers siblings, and records the history', async () => {
    const [a = '', b = '', c = ''] = [
      await addOrganisation('甲', school),
      await addOrganisation('乙', school),
      await addOrganisation('丙', school),
    ]
    await move(c, school, a)
    await move(b, school, c)
    expect(
      listNodeNames(await under(school)).filter((name) =>
        ['甲', '乙', '丙'].includes(String(name)),
      ),
    ).toEqual(['乙', '丙', '甲'])
    await move(a, b)
    expect([
      listNodeNames(await under(b)),
      (await loadOrganisation(a))['pid'],
      (await loadOrganisation(a))['sort'],
    ]).toEqual([['甲'], [{ id: b, name: '乙' }], 1])
    expect(
      (await admin.history.of({ params: { tag: org, id: a } })).entries.flatMap(({ changes }) =>
        changes.map(({ attrName }) => attrName),
      ),
    ).toContain('pid')
    await move(a, '0')
    expect(listNodeNames(await under('0'))).toEqual(['示范大学', '甲'])
  })
  it('refuses cycles, also from concurrent moves, and more than the maximum depth', async () => {
    const top = await addOrganisation('圈上')
    const low = await addOrganisation('圈中', top)
    const lowest = await addOrganisation('圈下', low)
    for (const below of [top, low, lowest])
      expect((await captureTreeProblem(move(top, below)))?.issues?.map(({ rule }) => rule)).toEqual(
        ['parent'],
      )
    expect(
      await captureTreeCode(
        admin.entityData.update({
          params: { tag: org, id: top },
          body: { version: (await loadOrganisation(top)).version ?? 1, pid: lowest },
        }),
      ),
    ).toBe(42200)
    // Two concurrent moves below each other: one is refused.
    const other = await addOrganisation('另一棵')
    const outcomes = await Promise.all([
      captureTreeCode(move(top, other)),
      captureTreeCode(move(other, lowest)),
    ])
    expect(outcomes.toSorted((x, y) => x - y)).toEqual([200, 42200])
    let deepest = await addOrganisation('第 1 层')
    for (let level = 2; level <= limits.treeDepth; level += 1)
      deepest = await addOrganisation(`第 ${level} 层`, deepest)
    expect((await captureTreeProblem(addOrganisation('太深', deepest)))?.issues).toMatchObject([
      { rule: 'depth', msg: `最多 ${limits.treeDepth} 层` },
    ])
    expect((await captureTreeProblem(move(low, deepest)))?.issues).toMatchObject([
      { rule: 'depth' },
    ])
    const { id: jobId } = await importFile(
      admin,
      org,
      toCsv(`机构代码,机构名称,上级机构\nD9,导入的第九层,第 ${limits.treeDepth} 层\n`),
    )
    // An import into a system entity needs a confirmation.
    await admin.job.resume({ params: { id: jobId }, body: {} })
    const job = await waitForJob(admin, jobId)
    expect([
      job.errors.map(({ rule }) => rule),
      (
        await admin.entityData.page({
          params: { tag: org },
          body: { queries: { name: '导入的第九层' } },
        })
      ).total,
    ]).toEqual([['depth'], 0])
  })
  it('refuses records of other tenants, stale versions and users without permission', async () => {
    const foreign = await app.signIn('admin', '10001')
    const [theirs] = await under('0', foreign)
    const mine = await addOrganisation('我方')
    expect((await captureTreeProblem(move(mine, theirs?.row.id ?? '')))?.issues).toMatchObject([
      { rule: 'choice' },
    ])
    expect(
      await captureTreeCode(
        foreign.tree.move({ params: { tag: org, id: mine }, body: { version: 1, parent: '0' } }),
      ),
    ).toBe(404)
    expect([await under(theirs?.row.id ?? ''), listNodeNames(await under('0', foreign))]).toEqual([
      [],
      ['第二示范学院'],
    ])
    expect(
      await captureTreeCode(
        admin.tree.move({ params: { tag: org, id: mine }, body: { version: 99, parent: '0' } }),
      ),
    ).toBe(40900)
    expect(
      (
        await captureTreeProblem(
          admin.tree.move({
            params: { tag: org, id: mine },
            body: {
              version: (await loadOrganisation(mine)).version ?? 1,
              parent: '0',
              before: theirs?.row.id ?? '',
            },
          }),
        )
      )?.issues,
    ).toMatchObject([{ rule: 'value' }])
    const clerk = await app.signIn('clerk')
    expect([
      await captureTreeCode(clerk.tree.children({ params: { tag: org }, body: {} })),
      await captureTreeCode(move(mine, '0', null, clerk)),
    ]).toEqual([403, 403])
  })
  it('keeps a record with children, and restores no child below a deleted parent', async () => {
    const parent = await addOrganisation('上级')
    const [one, two] = [
      await addOrganisation('下一', parent),
      await addOrganisation('下二', parent),
    ]
    const refused = await captureTreeProblem(
      admin.entityData.remove({ params: { tag: org, ids: parent } }),
    )
    expect([refused?.code, refused?.message]).toEqual([409, '还有 2 个下级，请先移走或删除下级'])
    expect(
      await admin.entityData.remove({ params: { tag: org, ids: `${parent},${one},${two}` } }),
    ).toEqual({ deleted: 3 })
    expect(
      (await captureTreeProblem(admin.history.restore({ params: { tag: org, ids: one } })))
        ?.message,
    ).toBe('它的上级也已删除，请先恢复上级')
    expect(await admin.history.restore({ params: { tag: org, ids: `${one},${parent}` } })).toEqual({
      restored: 2,
    })
  })
  it('returns search hits with their ancestors', async () => {
    const { records, complete } = await admin.tree.search({
      params: { tag: org },
      body: { queries: { name: '教务处' } },
    })
    expect([
      records.map(({ row, hit, parent }) => [row['name'], hit === true, parent === '0']),
      complete,
    ]).toEqual([
      [
        ['示范大学', false, true],
        ['教务处', true, false],
      ],
      true,
    ])
    expect(
      await captureTreeCode(
        admin.tree.search({ params: { tag: org }, body: { queries: { sort: '1' } } }),
      ),
    ).toBe(42200)
  })
  it('orders all rows of a list, or none', async () => {
    const items = async () =>
      (
        await admin.dictionaryItem.page({
          body: { queries: { dictCode: 'gender' }, sorts: [{ column: 'sort', asc: true }] },
        })
      ).records
    const [male, female] = (await items()).map(({ id }) => id)
    const order = (ids: readonly (string | undefined)[]) =>
      admin.tree.order({ params: { tag: 'SYS_DICT_ITEM' }, body: { ids: ids.map(String) } })
    expect(await order([female, male])).toEqual({ changed: 2 })
    expect(
      (await admin.dictionary.codes({ query: { codes: 'gender' } }))['gender']?.map(
        ({ name }) => name,
      ),
    ).toEqual(['女', '男'])
    expect([
      await captureTreeCode(order([male, '1'])),
      await captureTreeCode(order([male, male])),
      (await items()).map(({ id }) => id),
    ]).toEqual([404, 42200, [female, male]])
    await order([male, female])
  })
})
