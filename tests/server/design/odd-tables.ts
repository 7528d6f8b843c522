// Tables as other programs make them: random names, types, defaults, checks, comments, keys and
// foreign keys, the same ones in every run.
import fc from 'fast-check'

const nameKnown = [
  'id',
  'ID',
  'Name',
  'name',
  'select',
  'user',
  '姓名',
  '学号',
  '状态',
  'first name',
  'first_name',
  'last_name',
  'tenant_id',
  'del_flag',
  'create_by',
  'create_time',
  'update_time',
  'version',
  'deleted_at',
  'org_id',
  'password',
  'api_token',
  'token_expires_at',
  'phone',
  'e-mail',
  'type',
  'is_new',
  'sort',
  '2fast',
  'ünïcode',
  'a"b',
  "it's",
  'constructor',
  '__proto__',
  'ts',
  'tag',
  'config',
  'parent_id',
  'amount',
  'createTime',
  'x1',
  '备注',
  '%',
  'permissions',
  'data',
]
const names = fc.constantFrom(...nameKnown)
const typeKnown = [
  'int',
  'bigint',
  'smallint',
  'numeric',
  'numeric(38,10)',
  'numeric(4,0)',
  'real',
  'money',
  'double precision',
  'text',
  'varchar',
  'varchar(1)',
  'varchar(20)',
  'varchar(300)',
  'char(3)',
  'boolean',
  'date',
  'timestamp',
  'timestamptz(3)',
  'time',
  'timetz',
  'interval',
  'uuid',
  'json',
  'jsonb',
  'xml',
  'inet',
  'cidr',
  'macaddr',
  'int4range',
  'tstzrange',
  'bit(3)',
  'varbit(9)',
  'text[]',
  'int[]',
  'uuid[]',
  'point',
  'bytea',
  'tsvector',
  'oid',
  'name',
  '"char"',
]
const types = fc.constantFrom(...typeKnown)
const defaultKnown = [
  '',
  '',
  '',
  `default '0'`,
  `default '1'`,
  'default null',
  `default 'now'`,
  'default now()',
  `default '{}'`,
  'default current_date',
  `default ''`,
  'default gen_random_uuid()',
  'default true',
  'default 1.5',
  `default '2024-01-01'`,
  `default 'x,y'`,
]
const defaults = fc.constantFrom(...defaultKnown)
const commentKnown = [
  '',
  '',
  '姓名',
  '状态（0正常 1停用）',
  '是否启用',
  '手机号',
  '类型：A-甲，B-乙',
  'a "quoted" one',
  '0',
  '；；',
  '0=off,1=on',
]
const comments = fc.constantFrom(...commentKnown)
const column = fc.record({
  name: names,
  type: types,
  default: defaults,
  comment: comments,
  notNull: fc.boolean(),
  unique: fc.integer({ min: 0, max: 9 }),
})
const table = fc.record({
  columns: fc.uniqueArray(column, { minLength: 1, maxLength: 12, selector: ({ name }) => name }),
  key: fc.integer({ min: 0, max: 3 }),
  link: fc.integer({ min: 0, max: 5 }),
})

/** One block of SQL for each table; columns that PostgreSQL refuses are left out. */
export function oddTables(schema: string, count: number): string[] {
  return fc
    .sample(table, { numRuns: count, seed: 12 })
    .map(({ columns, key, link }, at) =>
      buildColumnBlock(`${schema}.${tableNames[at % 8] ?? 't'}${at}"`, columns, key, link, at),
    )
}

const tableNames = ['"t', '"T', '"Order ', '"表', '"sys_', '"a-', '"user', '"select']

interface OddColumn {
  readonly name: string
  readonly type: string
  readonly default: string
  readonly comment: string
  readonly notNull: boolean
  readonly unique: number
}

/** `do` runs each part by itself, so that a default of the wrong type costs only its column. */
function buildColumnBlock(
  name: string,
  columns: readonly OddColumn[],
  key: number,
  link: number,
  at: number,
): string {
  const parts = [
    ...columns.flatMap((each) => [
      `alter table ${name} add ${quoteSqlName(each.name)} ${each.type} ${each.default}${each.notNull ? ' not null' : ''}`,
      `comment on column ${name}.${quoteSqlName(each.name)} is ${literal(each.comment)}`,
      ...(each.unique === 0 ? [`alter table ${name} add unique (${quoteSqlName(each.name)})`] : []),
    ]),
    ...(key === 0
      ? []
      : [
          `alter table ${name} add primary key (${columns
            .slice(0, key)
            .map((each) => quoteSqlName(each.name))
            .join(', ')})`,
        ]),
    ...(link > 2 || at === 0
      ? []
      : [
          `alter table ${name} add link${at} int references ${name.replace(/^(\w+)\..*$/, '$1')}.hub (id)`,
        ]),
  ]
  const guarded = parts.map(
    (part) => `begin execute ${literal(part)}; exception when others then null; end;`,
  )
  const first =
    at === 0
      ? `create table if not exists ${name.split('.')[0] ?? ''}.hub (id int primary key, label text);`
      : ''
  return `${first} create table ${name} (); do $odd$ begin ${guarded.join(' ')} end $odd$`
}

const quoteSqlName = (name: string) => `"${name.replaceAll('"', '""')}"`
const literal = (text: string) => `'${text.replaceAll("'", "''")}'`
