// Row rules across relations against a model in memory and the evaluator of clients, on random rows
// (docs/rules/security.md#rules-across-relations).
import { compileExpression } from '@jiaowu/validation'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Subject } from '../../platform/context.ts'
import {
  definition,
  type Fixture,
  openFixture,
  otherTenant,
  tenant,
} from '../../../testing/entities/fixture.ts'
import { fromTable } from '../../model/definition/from-table.ts'
import { databaseOf } from '../../platform/database/any-database.ts'
import { accessTo, baseRows, buildGrant } from '../access.ts'
import { expressionFault } from './rule-check.ts'
import { expressionOfColumns, ruleOfEntity, ruleOfTable } from './rule-columns.ts'
import { ruleTargets } from './rule-targets.ts'

let fixture: Fixture
let seed = 20_260_801
function random(n: number): number {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
  return seed % n
}
function pickRandom<T>(list: readonly T[]): T {
  return list[random(list.length)] as T
}

interface Dept {
  readonly id: number
  readonly pid: number | null
  readonly name: string
  readonly isDeleted: boolean
}
interface Team {
  readonly id: number
  readonly name: string
  readonly deptId: number | null
  readonly isDeleted: boolean
}
interface Sample {
  readonly id: number
  readonly name: string
  readonly teamId: number | null
  readonly deptId: number | null
  readonly big: number | null
}

const depts: readonly Dept[] = Array.from({ length: 8 }, (_, i) => ({
  id: i + 1,
  pid: i < 2 ? null : random(i) + 1,
  name: `d${i % 3}`,
  isDeleted: i % 4 === 3,
}))
const teams: readonly Team[] = Array.from({ length: 12 }, (_, i) => ({
  id: i + 1,
  name: `t${i % 4}`,
  deptId: random(4) === 0 ? null : random(8) + 1,
  isDeleted: i % 5 === 4,
}))
const samples: readonly Sample[] = Array.from({ length: 160 }, (_, i) => ({
  id: i + 1,
  name: `s${i}`,
  // The last team does not exist.
  teamId: random(6) === 0 ? null : random(13) + 1,
  deptId: random(6) === 0 ? null : random(8) + 1,
  big: random(5) === 0 ? null : random(4),
}))

beforeAll(async () => {
  fixture = await openFixture()
  const db = databaseOf(fixture)
  const at = (is: boolean) => (is ? sql`now()` : sql`null`)
  for (const school of [tenant, otherTenant]) {
    const shift = school === tenant ? 0 : 1000
    for (const { id, pid, name, isDeleted } of depts)
      await sql`insert into biz.t_dept (id, tenant_id, pid, name, deleted_at) values
        (${id + shift}::int8, ${school}::int8, ${pid}::int8, ${name}, ${at(isDeleted)})`.execute(db)
    for (const { id, name, deptId, isDeleted } of teams)
      await sql`insert into biz.t_team (id, tenant_id, name, dept_id, deleted_at) values
        (${id + shift}::int8, ${school}::int8, ${name}, ${deptId}::int8, ${at(isDeleted)})`.execute(
        db,
      )
    for (const { id, name, teamId, deptId, big } of samples)
      await sql`insert into biz.t_sample (id, tenant_id, name, team_id, dept_id, big, memo) values
        (${id + shift}::int8, ${school}::int8, ${name}, ${teamId}::int8, ${deptId}::int8, ${big}::int8,
          ${teamId === null ? null : String(teamId)})`.execute(db)
  }
  await fixture.define(
    definition('T_MEMO', 't_sample', [
      { id: '900', attrName: 'id', uiLabel: 'id', columnName: 'id', isList: 1 },
      { id: '901', attrName: 'name', uiLabel: 'n', columnName: 'name', isList: 1, isDetail: 1 },
      {
        id: '902',
        attrName: 'group',
        uiLabel: 'g',
        columnName: 'memo',
        uiType: 'radio',
        dictType: 1,
        dictValue: 'T_TEAM.name',
        isList: 1,
        isDetail: 1,
      },
    ]),
  )
})
afterAll(() => fixture.close())

async function findMatchingNames(
  expression: string,
  person: Subject['person'],
  tag = 'T_SAMPLE',
): Promise<string> {
  const entity = await fixture.registry.get(tenant, tag)
  const columns = await compileToColumns(expression, tag)
  const { scope } = buildGrant(
    {
      scope: 'expression',
      expression: columns,
      overrides: {},
      roleId: '1',
      isStored: true,
      behind: [],
    },
    entity,
    fixture.context({ person }),
  )
  const { rows } = await sql<{ id: string }>`
    select id from ${fromTable(entity)} where ${baseRows(entity, tenant)} and ${scope} order by id`.execute(
    databaseOf(fixture),
  )
  return rows.map(({ id }) => id).join()
}

/** As the page of rules stores it. */
async function compileToColumns(expression: string, tag = 'T_SAMPLE') {
  const entity = await fixture.registry.get(tenant, tag)
  return expressionOfColumns(entity, expression, await ruleTargets(fixture.context(), entity))
}

/** Null: unknown. */
type Truth = boolean | null
interface Term {
  readonly source: string
  readonly of: (row: Sample, person: Subject['person']) => Truth
}
const not = (truth: Truth): Truth => (truth === null ? null : !truth)
const andTruth = (a: Truth, b: Truth): Truth =>
  a === false || b === false ? false : a === null || b === null ? null : true

/** Rows of the recycle bin count. */
const findTeam = (row: Sample) => teams.find(({ id }) => id === row.teamId)
const findDepartment = (row: Sample) => depts.find(({ id }) => id === row.deptId)
function personIn(tag: string, person: Subject['person']): number | null {
  const known = tag === 'T_DEPT' ? depts : teams
  const row = known.find(({ id, isDeleted }) => String(id) === person?.id && !isDeleted)
  return person?.tag === tag ? (row?.id ?? null) : null
}
function isPerson(value: number | null | undefined, tag: string, person: Subject['person']): Truth {
  const id = personIn(tag, person)
  return id === null || value === undefined ? null : value === id
}

const leaves: readonly (() => Term)[] = [
  () => ({
    source: 'row.teamId.deptId == user.person',
    of: (row, person) => isPerson(findTeam(row)?.deptId, 'T_DEPT', person),
  }),
  () => ({
    source: 'user.person === row.deptId',
    of: (row, person) => isPerson(row.deptId, 'T_DEPT', person),
  }),
  () => ({
    source: 'row.deptId.id == user.person',
    of: (row, person) => isPerson(findDepartment(row)?.id, 'T_DEPT', person),
  }),
  () => ({
    source: 'row.teamId == user.person',
    of: (row, person) => isPerson(row.teamId, 'T_TEAM', person),
  }),
  () => {
    const name = pickRandom(['t0', 't1', 'zz'])
    return {
      source: `row.teamId.name == '${name}'`,
      of: (row) => (findTeam(row) === undefined ? null : findTeam(row)?.name === name),
    }
  },
  () => ({
    source: "row.deptId.name in ['d0', 'd2']",
    of: (row) =>
      findDepartment(row) === undefined
        ? null
        : ['d0', 'd2'].includes(findDepartment(row)?.name ?? ''),
  }),
  () => ({
    source: 'row.deptId.pid == null',
    of: (row) => (findDepartment(row) === undefined ? null : findDepartment(row)?.pid === null),
  }),
  () => ({
    source: 'row.deptId.pid == 2',
    of: (row) => (findDepartment(row) === undefined ? null : findDepartment(row)?.pid === 2),
  }),
  () => ({
    source: "row.teamId.name >= 't2'",
    of: (row) => {
      const team = findTeam(row)
      return team === undefined ? null : team.name >= 't2'
    },
  }),
  () => ({
    source: 'row.teamId.deptId == row.deptId',
    of: (row) => (findTeam(row) === undefined ? null : findTeam(row)?.deptId === row.deptId),
  }),
  () => ({
    source: 'row.teamId.deptId == row.deptId.id',
    of: (row) => {
      const [team, dept] = [findTeam(row), findDepartment(row)]
      return team === undefined || dept === undefined ? null : team.deptId === dept.id
    },
  }),
  () => ({ source: 'row.big == 1', of: (row) => row.big === 1 }),
  () => ({ source: 'row.deptId == null', of: (row) => row.deptId === null }),
]

function term(depth: number): Term {
  const kind = depth === 0 ? 0 : random(5)
  if (kind < 2) return pickRandom(leaves)()
  if (kind === 2) {
    const inner = term(depth - 1)
    return { source: `not (${inner.source})`, of: (row, person) => not(inner.of(row, person)) }
  }
  const [a, b] = [term(depth - 1), term(depth - 1)]
  return kind === 3
    ? {
        source: `(${a.source}) and (${b.source})`,
        of: (row, person) => andTruth(a.of(row, person), b.of(row, person)),
      }
    : {
        source: `(${a.source}) or (${b.source})`,
        of: (row, person) => not(andTruth(not(a.of(row, person)), not(b.of(row, person)))),
      }
}

const persons: readonly Subject['person'][] = [
  null,
  ...[1, 2, 4, 5, 99].map((id) => ({ tag: 'T_DEPT', id: String(id) })),
  { tag: 'T_TEAM', id: '1' },
  { tag: 'T_TEAM', id: '5' },
  { tag: 'T_NONE', id: '1' },
  { tag: 'T_DEPT', id: 'x' },
]

/** The row as clients have it: choices with the values that expressions read. */
function onClient(row: Sample) {
  const item = (id: number, values: object) => [{ id: String(id), name: '', values }]
  const choice = (id: number | null) => (id === null ? [] : [{ id: String(id), name: '' }])
  const [team, dept] = [findTeam(row), findDepartment(row)]
  return {
    ...row,
    teamId:
      row.teamId === null
        ? []
        : team === undefined
          ? [{ id: String(row.teamId), name: '' }]
          : item(team.id, { name: team.name, deptId: choice(team.deptId) }),
    deptId:
      dept === undefined
        ? []
        : item(dept.id, { id: String(dept.id), name: dept.name, pid: choice(dept.pid) }),
  }
}

describe('rules across relations', () => {
  const terms = [
    ...leaves.flatMap((leaf) => {
      const { source, of } = leaf()
      return [
        { source, of },
        {
          source: `not (${source})`,
          of: (row: Sample, person: Subject['person']) => not(of(row, person)),
        },
      ]
    }),
    ...Array.from({ length: 30 }, () => term(3)),
  ]
  it.each(terms.map(({ source, of }) => [source, of] as const))(
    '%s selects the rows of the model',
    async (source, of) => {
      for (const person of source.includes('person') ? persons : persons.slice(0, 1)) {
        const expected = samples.filter((row) => of(row, person) === true).map(({ id }) => id)
        expect([person, await findMatchingNames(source, person)]).toEqual([person, expected.join()])
      }
    },
  )
  it.each(terms.map(({ source, of }) => [source, of] as const))(
    '%s is evaluated by clients with the same result',
    (source, of) => {
      // Clients know the id of the person, and trust that it exists and is of the right entity.
      for (const person of [null, persons[1] ?? null])
        if (!source.includes('row.teamId == user.person'))
          expect(
            samples
              .filter((row) =>
                compileExpression(source).test({ row: onClient(row), user: { person }, mode: '' }),
              )
              .map(({ id }) => id),
          ).toEqual(samples.filter((row) => of(row, person) === true).map(({ id }) => id))
    },
  )
  it('reads a relation that is stored as text', async () => {
    const expected = samples.filter((row) => findTeam(row)?.name === 't1').map(({ id }) => id)
    expect(await findMatchingNames("row.group.name == 't1'", null, 'T_MEMO')).toBe(expected.join())
    const mine = samples.filter((row) => row.teamId === 1).map(({ id }) => id)
    expect(
      await findMatchingNames('row.group == user.person', { tag: 'T_TEAM', id: '1' }, 'T_MEMO'),
    ).toBe(mine.join())
  })
  it('holds for another entity on the table, which has no such relation', async () => {
    const role = await fixture.role(
      'same-table',
      ['entity:T_MEMO:view'],
      [{ tag: 'T_SAMPLE', scope: 'expression', expression: "row.teamId.name == 't1'" }],
    )
    const entity = await fixture.registry.get(tenant, 'T_MEMO')
    const context = fixture.context(await fixture.granted(role))
    const { rows } = await accessTo(context, entity, 'view')
    const result = await sql<{ id: string }>`
      select id from ${fromTable(entity)} where ${rows} order by id`.execute(databaseOf(fixture))
    expect(result.rows.map(({ id }) => Number(id))).toEqual(
      samples.filter((row) => findTeam(row)?.name === 't1').map(({ id }) => id),
    )
  })
  it('shows no row when the table or a column of the rule is gone', async () => {
    expect(await findMatchingNames('row["@team_id>biz.gone(id)"].name == \'t1\'', null)).toBe('')
    expect(await findMatchingNames('not (row["@team_id>biz.gone(id)"].name == \'t1\')', null)).toBe(
      '',
    )
    expect(await findMatchingNames('row["@team_id>biz.t_team(id)"].gone != \'t1\'', null)).toBe('')
  })
})

describe('the page of rules', () => {
  const admin = () => fixture.context()
  it.each([
    ['row.teamId.name == 1', 'row["team_id>biz.t_team(id)"].name == 1'],
    [
      "row['teamId']['deptId'] == user.person and row.big > 1",
      'row["team_id>biz.t_team(id)"]["dept_id>biz.t_dept(id)"] == user.person and row.big > 1',
    ],
    ['row.deptId != user.person', 'row["dept_id>biz.t_dept(id)"] != user.person'],
    ['row.id == user.person', 'row["id>biz.t_sample(id)"] == user.person'],
    ["row.deptId == '1'", "row.dept_id == '1'"],
  ])('stores %s by table and column as %s', async (source, expected) =>
    expect(await compileToColumns(source)).toBe(expected),
  )
  it.each([
    'row.teamId.name == 1',
    'row.teamId.deptId == user.person',
    'row.deptId == user.person or row.id == user.person',
    'row.branch.pid == 3',
  ])('shows %s as it was written', async (expression) => {
    const entity = await fixture.registry.get(tenant, 'T_SAMPLE')
    const targetOf = await ruleTargets(admin(), entity)
    const rule = { tag: 'T_SAMPLE', scope: 'expression' as const, expression, overrides: {} }
    const table = ruleOfTable(entity, rule, undefined, targetOf)
    expect(ruleOfEntity(entity, table, targetOf).expression).toBe(expression)
    // Another entity on the table keeps the rule under marked names.
    const other = await fixture.registry.get(tenant, 'T_MEMO')
    const otherTargets = await ruleTargets(admin(), other)
    const shown = ruleOfEntity(other, table, otherTargets)
    expect(ruleOfTable(other, shown, undefined, otherTargets)).toEqual(table)
  })
  async function findExpressionFault(expression: string, as = admin()) {
    const entity = await fixture.registry.get(tenant, 'T_SAMPLE')
    return (await expressionFault(as, entity, expression, () => true))?.key ?? null
  }
  it.each([
    ['row.teamId.deptId.name == 1', 'role.crossTwice'],
    ['row.name.deptId == 1', 'role.crossNone'],
    ['row.kind.name == 1', 'role.crossNone'],
    ['row.branches.name == 1', 'role.crossMany'],
    ['row.teamId.nothing == 1', 'role.crossUnknown'],
    ['row.name == user.person', 'role.personWith'],
    ['row.teamId.name == user.person', 'role.personWith'],
    ['row.deptId < user.person', 'role.expressionWrong'],
    ['user.person == null', 'role.expressionWrong'],
    ['row.deptId in [user.person]', 'role.expressionWrong'],
    ['user.person.id == row.deptId', 'role.expressionWrong'],
    ['row.teamId.name', 'role.expressionWrong'],
    ["row.teamId.name == 't1'", null],
    ['user.person in row.branches', null],
  ])('%s: %s', async (expression, key) => expect(await findExpressionFault(expression)).toBe(key))
  it('lets an author read across only into what he knows on every row', async () => {
    const as = async (rules: Parameters<Fixture['role']>[2], ...tags: string[]) =>
      fixture.context(
        await fixture.granted(
          await fixture.role(
            `a${random(1e9)}`,
            tags.map((tag) => `entity:${tag}:view`),
            rules,
          ),
        ),
      )
    const source = 'row.deptId.secret == 1'
    expect(await findExpressionFault(source, await as([], 'T_SAMPLE', 'T_DEPT'))).toBe(null)
    expect(await findExpressionFault(source, await as([], 'T_SAMPLE'))).toBe('role.crossUnknown')
    expect(
      await findExpressionFault(
        source,
        await as(
          [{ tag: 'T_DEPT', scope: 'expression', expression: "row.name == 'd0'" }],
          'T_SAMPLE',
          'T_DEPT',
        ),
      ),
    ).toBe('role.crossUnknown')
    const hidden = { isList: 0, isDetail: 0, isEdit: 0, isAdd: 0, isExport: 0, isQuery: 0 }
    expect(
      await findExpressionFault(
        source,
        await as([{ tag: 'T_DEPT', overrides: { secret: hidden } }], 'T_SAMPLE', 'T_DEPT'),
      ),
    ).toBe('role.crossUnknown')
    expect(
      await findExpressionFault(
        'row["@dept_id>biz.t_dept(id)"]["@secret"] == 1',
        await as([], 'T_SAMPLE', 'T_DEPT'),
      ),
    ).toBe('role.crossNone')
  })
})
