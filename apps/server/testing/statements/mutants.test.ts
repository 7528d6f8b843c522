import { expect, it } from 'vitest'
import { checkTree, statementsIn } from './check-statement.ts'
import { listStatementMutants } from './mutants.ts'

it.each([
  ['select 1 from sys.job where tenant_id = $1 and id = $2', 1],
  [
    'select 1 from sys.job j join sys.job_row r on r.tenant_id = j.tenant_id where j.tenant_id = $1',
    2,
  ],
  ['select 1 from sys.dict where tenant_id in (0, $1) and code = $2', 1],
  [
    'select 1 from sys.job where tenant_id = $1 and exists (select 1 from sys.job_row where tenant_id = $1)',
    2,
  ],
  [
    'with x as (select id from sys.job where tenant_id = $1) delete from sys.job where tenant_id = $1',
    2,
  ],
  ['update sys.job j set kind = $1 from sys.tenant t where j.tenant_id = $2 and t.id = $3', 1],
  ['insert into sys.job (id, tenant_id) values ($1, $2) on conflict (tenant_id, id) do nothing', 2],
  ['insert into sys.job (tenant_id, id) select tenant_id, id from sys.job where tenant_id = $1', 2],
])('refuses %s without any one of its %i ties', (text, count) => {
  const [statement] = statementsIn(text)
  if (statement === undefined) throw new Error('the statement cannot be parsed')
  expect(checkTree(statement)).toEqual([])
  const mutants = listStatementMutants(statement)
  expect(mutants).toHaveLength(count)
  for (const mutant of mutants) expect(checkTree(mutant)).not.toEqual([])
})
