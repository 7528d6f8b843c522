import { type Block, pastedBlock } from '@jiaowu/machines'

/** The block of cells on a clipboard: its text, and the table of its HTML where the text lost cells. */
export function blockOf(clipboard: Pick<DataTransfer, 'getData'>): Block {
  return pastedBlock(clipboard.getData('text/plain'), tableOf(clipboard.getData('text/html')))
}

/** The cells of the only table of an HTML text, merged ones once; null: none, or several. */
function tableOf(html: string): Block | null {
  if (!html.includes('<t')) return null
  // A parsed document runs no script and loads nothing.
  const [table, ...others] = new DOMParser()
    .parseFromString(html, 'text/html')
    .querySelectorAll('table')
  if (table === undefined || others.length > 0) return null
  return [...table.rows].map((row) =>
    [...row.cells].flatMap((cell) => [
      textOf(cell),
      ...Array.from({ length: cell.colSpan - 1 }, () => ''),
    ]),
  )
}

function textOf(cell: Element): string {
  const copy = cell.cloneNode(true) as Element
  for (const line of copy.querySelectorAll('br')) line.replaceWith('\n')
  return copy.textContent
}
