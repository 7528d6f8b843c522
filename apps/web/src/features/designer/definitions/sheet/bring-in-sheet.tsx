import { useState } from 'react'
import { useApi } from '../../../../app/api-context.ts'
import { useNotice } from '../../../../app/notice-context.ts'
import { useText } from '../../../../app/text-context.ts'
import { LazyImportDrawer } from '../../../import/transfer-buttons.tsx'
import { SheetDialog } from './sheet-dialog.tsx'
import type { MadeTable } from './use-sheet-table.ts'

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
  const keepMade = (table: MadeTable) => {
    const { name } = table
    toast('success', t('sheetTable.made', { table: table.table, name }))
    if (table.config === null) toast('warning', t('sheetTable.noRows', { name }), { lasting: true })
    reloadProfile()
    onChanged()
    if (table.config === null) onClose()
    else setMade(table)
  }
  const config = made?.config ?? null
  return config === null ? (
    <SheetDialog onClose={onClose} onMade={keepMade} />
  ) : (
    <LazyImportDrawer config={config} modes={['insert']} onClose={onClose} onChanged={onChanged} />
  )
}
