// Cells of a grid in a browser, and a sheet of grades to open in one.
import type { Row } from '@jiaowu/api/entity/values'
import type { Locator, Page } from 'playwright-core'
import { staffClient } from '../staff-client.ts'

/** A cell by its accessible name: place and value. */
export function findGridCell(page: Page, row: number, label: string): Locator {
  return page
    .locator('.bp6-table-quadrant-main, .bp6-table-quadrant-left')
    .getByRole('group', { name: `第 ${row} 行，${label}：` })
    .last()
}

export function gridTextAt(page: Page, row: number, label: string): Promise<string> {
  return findGridCell(page, row, label).innerText()
}

/** Course and term of the largest sheet of grades among the latest. */
export async function sheetOfGrades(
  server: Parameters<typeof staffClient>[0],
): Promise<{ readonly course: string; readonly term: string }> {
  const { api } = await staffClient(server)
  const { records } = await api.entityData.page({
    params: { tag: 'EDU_GRADE' },
    body: { pageSize: 200 },
  })
  const key = (row: Row) => `${readRelationName(row, 'course')} ${readRelationName(row, 'term')}`
  const [sheet] = [...Map.groupBy(records, key).values()].toSorted((a, b) => b.length - a.length)
  return {
    course: readRelationName(sheet?.[0], 'course'),
    term: readRelationName(sheet?.[0], 'term'),
  }
}

function readRelationName(row: Row | undefined, attrName: string): string {
  return ((row?.[attrName] ?? []) as readonly { readonly name: string }[])[0]?.name ?? ''
}
