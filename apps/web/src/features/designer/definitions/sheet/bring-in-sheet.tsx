import { useState } from 'react'
import { useApi } from '../../../../app/api-context.ts'
import { useNotice } from '../../../../app/notice-context.ts'
import { useText } from '../../../../app/text-context.ts'
import { LazyImportDrawer } from '../../../import/transfer-buttons.tsx'
import { SheetDialog } from './sheet-dialog.tsx'
import type { MadeTable, NextSheet } from './use-sheet-table.ts'

interface Props {
  readonly onChanged: () => void
  readonly onClose: () => void
}

/** The dialog of a sheet, and then the import of its rows as in any list. */
export function BringInSheet({ onChanged, onClose }: Props) {
  const { t } = useText()
  const { reloadProfile } = useApi()
  const { toast } = useNotice()
  const [made, setMade] = useState<MadeTable | null>(null)
  const [next, setNext] = useState<NextSheet | null>(null)
  /** The next sheet of the book, else the end. */
  const goOn = (table: MadeTable) => {
    setMade(null)
    setNext(table.next)
    if (table.next === null) onClose()
  }
  const keepMade = (table: MadeTable) => {
    const { name } = table
    toast('success', t('sheetTable.made', { table: table.table, name }))
    if (table.config === null) toast('warning', t('sheetTable.noRows', { name }), { lasting: true })
    reloadProfile()
    onChanged()
    if (table.config === null) goOn(table)
    else setMade(table)
  }
  const config = made?.config ?? null
  return made === null || config === null ? (
    <SheetDialog key={next?.sheet ?? ''} next={next} onClose={onClose} onMade={keepMade} />
  ) : (
    <LazyImportDrawer
      config={config}
      modes={['insert']}
      onClose={() => goOn(made)}
      onChanged={onChanged}
    />
  )
}
