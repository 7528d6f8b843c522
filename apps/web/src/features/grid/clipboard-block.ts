import {
  type Block,
  formatBlock,
  htmlOfBlock,
  pastedBlock,
} from '@jiaowu/machines/grid-edit/clipboard/clipboard'
import { parseHtmlTable } from '@jiaowu/machines/grid-edit/clipboard/html-table'

/** The block of cells on a clipboard: its text, and the table of its HTML where the text lost cells. */
export function readClipboardBlock(clipboard: Pick<DataTransfer, 'getData'>): Block {
  return pastedBlock(
    clipboard.getData('text/plain'),
    parseHtmlTable(clipboard.getData('text/html')),
  )
}

/** Puts a block on the clipboard outside a copy event. @throws where the browser does not permit that */
export async function writeBlock(block: Block): Promise<void> {
  const part = (type: string, text: string) => [type, new Blob([text], { type })] as const
  await navigator.clipboard.write([
    new ClipboardItem(
      Object.fromEntries([
        part('text/plain', formatBlock(block)),
        part('text/html', htmlOfBlock(block)),
      ]),
    ),
  ])
}
