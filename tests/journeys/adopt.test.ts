import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { browserFixture } from '../support/browser/browser-fixture.ts'
import { dataRows, openDialog } from '../support/browser/console-page.ts'
import { findGridCell, gridTextAt } from '../support/browser/grid-page.ts'
import { copyOfBase } from '../support/server.ts'
import { runSqlFile } from '../support/server-command.ts'
import { staffClient } from '../support/staff-client.ts'

// A shop of another program: capitals and blanks in names, typed keys, a key of two columns, and a table
// with every odd type.
const shopSql = `create table "Customers" ("Customer ID" char(5) primary key, "Company Name" varchar(40) not null, "City" varchar(15));
create table "Products" (id serial primary key, "Product Name" varchar(40) not null, "Unit Price" numeric(8, 2));
create table "Orders" ("Order No" int primary key, "Customer ID" char(5) references "Customers", "Ordered" date);
create table "Order Details" ("Order No" int references "Orders", "Product" int references "Products" (id), "Quantity" smallint not null default 1 check ("Quantity" > 0), "Discount" real not null default 0, primary key ("Order No", "Product"));
create table "Fees" (id serial primary key, "Title" varchar(40) not null, "Fee Fen" integer);
create type mood as enum ('calm', 'busy');
create table "Every Type" (id uuid primary key default gen_random_uuid(), mood mood, tags text[], doc jsonb, addr inet, span interval, cost money, fits int4range, bits bit(3), page xml, at time with time zone, exact numeric(38, 10), photo bytea, twice int generated always as (2) stored);
insert into "Customers" values ('KONGX', 'Kong & Sons', 'Xiamen'), ('LIUPT', 'Liu Partners', 'Fuzhou');
insert into "Products" ("Product Name", "Unit Price") values ('Green tea', 18), ('Black tea', 21.5);
insert into "Orders" values (11077, 'KONGX', '2026-05-06'), (11078, 'LIUPT', '2026-05-07');
insert into "Order Details" values (11077, 1, 24, 0.2), (11077, 2, 4, 0), (11078, 1, 1, 0);
insert into "Fees" ("Title", "Fee Fen") values ('Transcript', 500), ('Proof', 1999), ('Copy', null);
insert into "Every Type" (mood, tags, doc, addr, span, cost, fits, bits, exact, photo) values ('busy', '{a,"b c"}', '{"n": 1}', '10.0.0.1', '1 day', 12.5, '[1,5)', '101', 12345678901234567890.0123456789, 'x');
`

const stage = browserFixture(async (folder) => {
  await writeFile(join(folder, 'shop.sql'), shopSql)
  const dataDir = join(folder, 'data')
  await copyOfBase(dataDir)
  const said = runSqlFile(join(folder, 'shop.sql'), dataDir)
  expect(said).toContain('Order Details')
  return { DATA_DIR: dataDir, DEMO: '0' }
})

const findRows = (page: Page, name: RegExp) => page.getByRole('row', { name })
/** Finds an entry of the main menu: the list of definitions has links of the same names. */
const menuEntry = (page: Page, name: string) =>
  page.getByRole('navigation', { name: '主菜单' }).getByRole('link', { name }).first()

it('brings a database into an empty installation: lists, choices by name, and one row edited', async () => {
  const { page } = await stage.staff('admin', '/')
  await menuEntry(page, '实体配置').click()
  await page.getByRole('button', { name: '引入数据库' }).click()
  const dialog = page.getByRole('dialog', { name: '引入数据库' })
  // A column without a text form is left out and said.
  await dialog.getByText(/photo.*bytea/).waitFor()
  await dialog.getByLabel('public.Order Details 的名称').fill('订单明细')
  await dialog.getByRole('button', { name: '保存 6 个实体' }).click()
  await page.getByRole('alert').filter({ hasText: '已引入 6 个实体' }).waitFor()

  await menuEntry(page, '订单明细').click()
  const tea = findRows(page, /11077.*Black tea/)
  await tea.waitFor()
  const before = await findRows(page, /1107/).allInnerTexts()
  expect(before).toHaveLength(3)
  await tea.getByRole('button', { name: '编辑' }).click()
  const drawer = page.getByRole('dialog', { name: '编辑订单明细' })
  await drawer.getByLabel('Quantity').fill('63')
  await drawer.getByRole('button', { name: '保存' }).click()
  await drawer.waitFor({ state: 'detached' })
  await findRows(page, /11077.*Black tea.*63/).waitFor()
  const after = await findRows(page, /1107/).allInnerTexts()
  expect(after.filter((text) => !before.includes(text))).toHaveLength(1)

  await menuEntry(page, 'Every type').click()
  await findRows(page, /12345678901234567890\.0123456789/).waitFor()
})

it('makes a table of a sheet that fits no entity, with its rows', async () => {
  const { page } = await stage.staff('admin', '/entity/config')
  await page.getByRole('button', { name: '引入表格' }).click()
  const dialog = page.getByRole('dialog', { name: '引入表格' })
  const rows = ['K1,红,9.5,2026-03-01', 'K2,蓝,8,2026-03-02', 'K3,红,7.25,2026-03-03']
  await dialog.locator('input[type=file]').setInputFiles({
    name: '器材借用.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`器材号,颜色,押金,借出日期\n${rows.join('\n')}\n`),
  })
  await dialog.getByLabel('押金 的类型').waitFor()
  expect(await dialog.getByLabel('押金 的类型').inputValue()).toBe('decimal')
  expect(await dialog.getByLabel('借出日期 的类型').inputValue()).toBe('date')
  expect(await dialog.getByLabel('器材号 不能重复').isChecked()).toBe(true)
  await dialog.getByLabel('颜色 的类型').selectOption('choice')
  await dialog.getByText('2 个选项：红、蓝').waitFor()
  await dialog.getByRole('button', { name: '建表并核对 3 行' }).click()
  const drawer = page.getByRole('dialog', { name: /器材借用/ })
  await drawer.getByRole('button', { name: /写入/ }).click()
  await drawer.getByText('导入完成').waitFor()
  await drawer.getByRole('button', { name: '关闭' }).last().click()
  await drawer.waitFor({ state: 'detached' })
  await menuEntry(page, '器材借用').click()
  await findRows(page, /K1.*红.*9\.5.*2026-03-01/).waitFor()
  expect(await dataRows(page).count()).toBe(3)
})

/** Clicks a cell and waits until letters go to it. */
async function enterCell(page: Page, row: number, label: string): Promise<void> {
  await findGridCell(page, row, label).click()
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toContain(`第 ${row} 行，${label}`)
}
const savedCells = (page: Page) =>
  page.getByRole('toolbar', { name: '表格编辑' }).getByText('已保存')

it('edits one row of a composite key in a grid', async () => {
  const { page } = await stage.staff('admin', '/')
  await menuEntry(page, '订单明细').click()
  await findRows(page, /11077.*Black tea/).waitFor()
  const before = await findRows(page, /1107/).allInnerTexts()
  await page.getByRole('button', { name: '表格编辑' }).click()
  const at = before.findIndex((text) => /11077[\s\S]*Green tea/.test(text)) + 1
  await enterCell(page, at, 'Quantity')
  await page.keyboard.type('25')
  await page.keyboard.press('Enter')
  await savedCells(page).waitFor()
  await page.goBack()
  await findRows(page, /11077.*Green tea.*25/).waitFor()
  const after = await findRows(page, /1107/).allInnerTexts()
  expect(after.filter((text) => !before.includes(text))).toHaveLength(1)
})

it('shows amounts in yuan and stores fen: grid, filter and bulk change', async () => {
  const { api } = await staffClient(stage.server)
  const { id: _id, version, ...definition } = await api.design.load({ params: { tag: 'FEES' } })
  await api.design.save({
    params: { tag: 'FEES' },
    body: {
      ...definition,
      version,
      fields: definition.fields.map((field) =>
        field.attrName === 'feeFen'
          ? {
              ...field,
              isQuery: 1,
              queryType: 'between',
              options: { ...field.options, money: 'fen' },
            }
          : field,
      ),
    },
  })
  const stored = async () => {
    const { records } = await api.entityData.page({
      params: { tag: 'FEES' },
      body: { pageSize: 10, sorts: [{ column: 'id', asc: true }] },
    })
    return records.map(({ feeFen }) => feeFen)
  }
  const { page } = await stage.staff('admin', '/entity/FEES/search?sorts=title:asc')
  await dataRows(page, 'Proof').getByText('19.99').waitFor()
  await page.getByRole('search').getByLabel('Fee fen').first().fill('6')
  await page.keyboard.press('Enter')
  await dataRows(page, 'Transcript').waitFor({ state: 'detached' })
  expect(await dataRows(page).count()).toBe(1)
  await dataRows(page, 'Proof').getByRole('checkbox').click()
  const chosen = page.getByRole('region', { name: '已选数据' })
  await chosen.getByRole('button', { name: '批量修改' }).click()
  const bulk = openDialog(page, /批量修改/)
  await page.getByLabel('选择要修改的字段').selectOption({ label: 'Fee fen' })
  await page.keyboard.type('7.05')
  await bulk.getByRole('button', { name: '预览变化' }).click()
  await bulk.getByRole('insertion').getByText('7.05').waitFor()
  await bulk.getByRole('button', { name: '修改 Proof' }).click()
  await page.getByRole('status').filter({ hasText: '处理完成' }).waitFor()
  expect(await stored()).toEqual([500, 705, null])

  await page.goto(stage.at('/entity/FEES/search?sorts=title:asc&mode=grid'))
  // Copy, Proof, Transcript
  await findGridCell(page, 2, 'Fee fen').waitFor()
  expect(await gridTextAt(page, 2, 'Fee fen')).toBe('7.05')
  await enterCell(page, 2, 'Fee fen')
  await page.keyboard.type('20.5')
  await page.keyboard.press('Enter')
  await savedCells(page).waitFor()
  await expect.poll(stored).toEqual([500, 2050, null])
})
