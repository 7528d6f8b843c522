// The table that all contestants serve, and its definition in the product.
import { entityDefinitionSchema } from '@jiaowu/api/entity/definition/definition'

export const tag = 'BENCH_PERSON'
export const tenant = '10000'
/** The characters of the second and third place of names. */
const middles = '伟芳娜秀英敏静丽强磊军洋勇艳杰娟涛明超兰霞平刚桂文辉玲力健红'
const ends = '明国华建志海军宇晨曦欣怡佳琪雨轩子涵浩博思源嘉懿梓萱睿泽宁安'

/** Two characters that some 0.1 % of the rows have in their names: another word each time, as people search. */
export function chooseWord(random: () => number): string {
  const pick = (letters: string) => [...letters][Math.floor(random() * [...letters].length)] ?? ''
  return `${pick(middles)}${pick(ends)}`
}

export const cities = 10

const people = `create table biz.bench_person (
  id bigint not null, tenant_id bigint not null, org_id bigint,
  create_user bigint, create_time timestamptz not null default now(),
  update_user bigint, update_time timestamptz not null default now(),
  version integer not null default 1, deleted_at timestamptz,
  code varchar(20) not null, name varchar(40) not null, city varchar(20), grade integer,
  score numeric(6,2), born date, phone varchar(20), note text,
  primary key (tenant_id, id))`

/** Statements that make the table with so many rows. */
export function fillStatements(rows: number): string[] {
  const pick = (letters: string, expression: string) =>
    `substr('${letters}', 1 + (${expression})::int % ${[...letters].length}, 1)`
  const words = (salt: number) =>
    [
      pick('赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许', `hashint4(n + ${salt}) & 1023`),
      pick(middles, `hashint4(n + ${salt + 7}) & 65535`),
      pick(ends, `hashint4(n + ${salt + 13}) & 65535`),
    ].join(' || ')
  return [
    people,
    `insert into biz.bench_person
      (id, tenant_id, code, name, city, grade, score, born, phone, note)
    select n, ${tenant}, 'P' || n,
      ${words(0)},
      'city' || (hashint4(n + 1) & 1023) % ${cities}, 1 + (hashint4(n + 2) & 1023) % 12,
      ((hashint4(n + 3) & 1048575) % 10000) / 100.0, date '1990-01-01' + (hashint4(n + 4) & 4095),
      '138' || lpad((n % 100000000)::text, 8, '0'), ${words(100)}
    from generate_series(1, ${rows}) n`,
    `create unique index bench_person_code on biz.bench_person (tenant_id, code) where deleted_at is null`,
    `create index bench_person_city on biz.bench_person (tenant_id, city, score, id) where deleted_at is null`,
    // The index that docs/rules/database.md#searches proposes; `name` stays without one.
    `do $$ begin
      if to_regproc('sys.bigrams') is not null then
        create index on biz.bench_person using gin (sys.bigrams(tenant_id, note)) where deleted_at is null;
      end if;
    end $$`,
    'analyze biz.bench_person',
  ]
}

/** The id of the entity and its definition as JSON. */
export function personEntity(): { readonly id: string; readonly json: string } {
  const listed = { isList: 1, isQuery: 1, isDetail: 1, isExport: 1 } as const
  const field = (n: number, attrName: string, more: object = {}) => ({
    id: `9000${n}`,
    attrName,
    uiLabel: attrName,
    columnName: attrName,
    ...listed,
    ...more,
  })
  const draft = {
    tag,
    name: tag,
    schemaName: 'biz',
    tableName: 'bench_person',
    idField: 'id',
    tagField: 'name',
    fields: [
      field(0, 'id', { isAdd: 0, isEdit: 0, isList: 0 }),
      field(1, 'code'),
      field(2, 'name', { queryType: 'like' }),
      field(3, 'city'),
      field(4, 'grade', { uiType: 'inputNumber' }),
      field(5, 'score', { uiType: 'inputNumber' }),
      field(6, 'born', { uiType: 'date' }),
      field(7, 'phone'),
      field(8, 'note', { queryType: 'like' }),
    ],
  }
  const parsed = entityDefinitionSchema['~standard'].validate(draft)
  if (!('value' in parsed)) throw new Error('the definition of the benchmark is not valid')
  return { id: '900000000000000001', json: JSON.stringify(parsed.value) }
}
