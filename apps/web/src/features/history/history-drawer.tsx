import type { EntityConfig } from '@jiaowu/api/entity/config'
import type { RowHistory } from '@jiaowu/api/entity/definition/history'
import { recordName } from '@jiaowu/machines/buttons/question'
import { useState } from 'react'
import { useText } from '../../app/text-context.ts'
import { Drawer } from '../../ui/overlays/drawer.tsx'
import { HistoryBody } from './history-body.tsx'

interface Props {
  readonly config: EntityConfig
  readonly id: string
  readonly canRestore: boolean
  readonly onClose: () => void
  readonly onRestored?: () => void
}

/** The name of the record, as soon as it is there and has one. */
function listRecordName(history: RowHistory | null, config: EntityConfig): readonly string[] {
  return history === null ? [] : [recordName(history.row, config)]
}

/** The history of a record over the list. */
export function HistoryDrawer({ config, onClose, ...props }: Props) {
  const { t } = useText()
  const [history, setHistory] = useState<RowHistory | null>(null)
  return (
    <Drawer
      isOpen
      onClose={onClose}
      title={[config.name, t('history.open'), ...listRecordName(history, config)].join(' · ')}
      size="min(880px, 100vw)"
      className="jw-calm jw-history"
    >
      <HistoryBody config={config} {...props} onLoaded={setHistory} />
    </Drawer>
  )
}
