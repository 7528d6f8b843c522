import type { EntityConfig } from '@jiaowu/api/entity/config'
import { uiTypes } from '@jiaowu/api/entity/enums'
import { findKind } from '@jiaowu/api/fields/kinds'
import { expect, it } from 'vitest'
import type { Api } from '../session/api.ts'
import { buildTypedQuery, listColumns, parseFilters, parseValues } from './entity-query.ts'

const fee = { attrName: 'fee', uiType: 'inputNumber', valids: {}, options: { money: 'fen' } }
const buildQueryConfig = (queryType: string) =>
  ({ tag: 'A', fields: [{ ...fee, queryType }] }) as unknown as EntityConfig
const api = {} as Api

it.each([
  ['between', 'fee=12.5..1,200', ['1250', '120000']],
  ['between', 'fee=12.5..', ['1250', null]],
  ['ge', 'fee=￥3', '300'],
  ['in', 'fee=3,4.5', ['300', '450']],
  ['equal', 'fee=12.345', '12.345'],
])('a filter by an amount (%s) takes yuan: %s', async (queryType, typed, sent) =>
  expect(await parseFilters(api, buildQueryConfig(queryType), [typed], 'en')).toEqual({
    fee: sent,
  }),
)

it('--set takes yuan, and sends what is none for the server to refuse', async () =>
  expect(
    await Promise.all(
      ['fee=12.5', 'fee=', 'fee=12.345', 'fee=99999999999999'].map((typed) =>
        parseValues(api, buildQueryConfig('equal'), [typed], 'en'),
      ),
    ),
  ).toEqual([{ fee: 1250 }, { fee: null }, { fee: '12.345' }, { fee: '99999999999999元' }]))

const items = [
  { id: 'A,B', name: 'comma in the id' },
  { id: '7', name: 'Zhang, Li' },
  { id: '8', name: 'Zhang' },
  { id: '9', name: 'Li' },
  { id: '10', name: '物理, 化学, 生物' },
]
/** Every kind of choice, with the items of the definition (a dictionary) and with those the server finds. */
const choiceKinds = uiTypes
  .filter((uiType) => {
    const kind = findKind(uiType)
    return kind.family === 'choice' && kind.fromText('Zhang, Li') === undefined
  })
  .flatMap((uiType) =>
    ['equal', 'in', 'multiContains'].flatMap((queryType) => [
      [`${uiType}, ${queryType}, of a relation`, { uiType, queryType }] as const,
      [`${uiType}, ${queryType}, of a dictionary`, { uiType, queryType, dictData: items }] as const,
    ]),
  )
const [, relation = {}] = choiceKinds[0] ?? []
const lookups = {
  entityData: {
    lookup: async ({ body }: { body: { searchKey: string } }) =>
      items.filter(({ id, name }) => `${id} ${name}`.includes(body.searchKey)),
  },
} as unknown as Api
const choiceConfig = (field: object) =>
  ({
    tag: 'A',
    fields: [
      { id: '1', attrName: 'tutor', uiLabel: '导师', valids: {}, options: {}, isList: 1, ...field },
    ],
  }) as unknown as EntityConfig

it.each(choiceKinds)(
  '%s: a text with commas is one choice before it is a list',
  async (_kind, field) => {
    const filter = async (text: string) =>
      (await parseFilters(lookups, choiceConfig(field), [`tutor=${text}`], 'en')).tutor
    expect(await filter('Zhang, Li')).toEqual(['7'])
    expect(await filter('A,B')).toEqual(['A,B'])
    expect(await filter('物理, 化学, 生物')).toEqual(['10'])
    expect(await filter('Zhang,Li')).toEqual(['8', '9'])
    const set = await parseValues(lookups, choiceConfig(field), ['tutor=Zhang, Li'], 'en')
    expect(set.tutor).toEqual(['7'])
  },
)

it.each([
  ['tutr=1', '(did you mean tutor?)'],
  ['Tutor=1', '(did you mean tutor?)'],
  ['导帅=1', '(did you mean 导师?)'],
])('a mistyped name of a field is refused with the one that was meant: %s', async (typed, said) => {
  const config = choiceConfig(relation)
  await expect(parseFilters(lookups, config, [typed], 'en')).rejects.toThrow(said)
  await expect(parseValues(lookups, config, [typed], 'en')).rejects.toThrow(said)
  await expect(
    buildTypedQuery(
      lookups,
      config,
      { filter: [], sort: typed.replace('=1', ':desc') },
      null,
      'en',
    ),
  ).rejects.toThrow(said)
  expect(() => listColumns(config, typed.replace('=1', ''), 'en')).toThrow(said)
})
it('a name that is like no field gets no suggestion', async () => {
  const config = choiceConfig(relation)
  await expect(parseFilters(lookups, config, ['xyz=1'], 'en')).rejects.toThrow(
    /^A has no field xyz$/,
  )
})
