import type { EntityConfig } from '@jiaowu/api/entity/config'
import { expect, it } from 'vitest'
import type { Api } from '../session/api.ts'
import { parseFilters, parseValues } from './entity-query.ts'

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
