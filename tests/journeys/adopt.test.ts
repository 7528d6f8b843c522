import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { browserFixture } from '../support/browser-fixture.ts'

const root = join(import.meta.dirname, '..', '..')
// A shop of another program: capitals and blanks in names, typed keys, a key of two columns, and a table
// with every odd type.
const shopSql = `create table "Customers" ("Customer ID" char(5) primary key, "Company Name" varchar(40) not null, "City" varchar(15));
create table "Products" (id serial primary key, "Product Name" varchar(40) not null, "Unit Price" numeric(8, 2));
create table "Orders" ("Order No" int primary key, "Customer ID" char(5) references "Customers", "Ordered" date);
create table "Order Details" ("Order No" int references "Orders", "Product" int references "Products" (id), "Quantity" smallint not null default 1 check ("Quantity" > 0), "Discount" real not null default 0, primary key ("Order No", "Product"));
create type mood as enum ('calm', 'busy');
create table "Every Type" (id uuid primary key default gen_random_uuid(), mood mood, tags text[], doc jsonb, addr inet, span interval, cost money, fits int4range, bits bit(3), page xml, at time with time zone, exact numeric(38, 10), photo bytea, twice int generated always as (2) stored);
insert into "Customers" values ('KONGX', 'Kong & Sons', 'Xiamen'), ('LIUPT', 'Liu Partners', 'Fuzhou');
insert into "Products" ("Product Name", "Unit Price") values ('Green tea', 18), ('Black tea', 21.5);
insert into "Orders" values (11077, 'KONGX', '2026-05-06'), (11078, 'LIUPT', '2026-05-07');
insert into "Order Details" values (11077, 1, 24, 0.2), (11077, 2, 4, 0), (11078, 1, 1, 0);
insert into "Every Type" (mood, tags, doc, addr, span, cost, fits, bits, exact, photo) values ('busy', '{a,"b c"}', '{"n": 1}', '10.0.0.1', '1 day', 12.5, '[1,5)', '101', 12345678901234567890.0123456789, 'x');
`

const stage = browserFixture(async (folder) => {
  await writeFile(join(folder, 'shop.sql'), shopSql)
  const said = execFileSync(
    process.execPath,
    ['apps/server/src/commands/server-main.ts', 'sql', join(folder, 'shop.sql')],
    {
      cwd: root,
      env: {
        ...process.env,
        APP_ENV: 'test',
        DATA_DIR: join(folder, 'data'),
        LOG_LEVEL: 'warn',
      },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  expect(said).toContain('Order Details')
  return { DATA_DIR: join(folder, 'data'), DEMO: '0' }
})

const rows = (page: Page, name: RegExp) => page.getByRole('row', { name })
const menuEntry = (page: Page, name: string) => page.getByRole('link', { name }).first()

it('brings a database into an empty installation: lists, choices by name, and one row edited', async () => {
  const { page } = await stage.staff('admin', '/')
  await menuEntry(page, '实体配置').click()
  await page.getByRole('button', { name: '引入数据库' }).click()
  const dialog = page.getByRole('dialog', { name: '引入数据库' })
  // What has no text form is left out and said.
  await dialog.getByText(/photo.*bytea/).waitFor()
  await dialog.getByLabel('public.Order Details 的名称').fill('订单明细')
  await dialog.getByRole('button', { name: '保存 5 个实体' }).click()
  await page.getByRole('alert').filter({ hasText: '已引入 5 个实体' }).waitFor()

  await menuEntry(page, '订单明细').click()
  const tea = rows(page, /11077.*Black tea/)
  await tea.waitFor()
  const before = await rows(page, /1107/).allInnerTexts()
  expect(before).toHaveLength(3)
  await tea.getByRole('button', { name: '编辑' }).click()
  const drawer = page.getByRole('dialog', { name: '编辑订单明细' })
  await drawer.getByLabel('Quantity').fill('63')
  await drawer.getByRole('button', { name: '保存' }).click()
  await drawer.waitFor({ state: 'detached' })
  await rows(page, /11077.*Black tea.*63/).waitFor()
  const after = await rows(page, /1107/).allInnerTexts()
  expect(after.filter((text) => !before.includes(text))).toHaveLength(1)

  await menuEntry(page, 'Every type').click()
  await rows(page, /12345678901234567890\.0123456789/).waitFor()
})
