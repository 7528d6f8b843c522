import { Button, Menu, MenuItem } from '@blueprintjs/core'
import { History, More } from '@blueprintjs/icons'
import type { EntityConfig } from '@jiaowu/api/entity/config'
import { entityPermission } from '@jiaowu/api/entity/permission'
import { Suspense, useState } from 'react'
import { useApi } from '../../app/api-context.ts'
import { useText } from '../../app/text-context.ts'
import { Popover } from '../../ui/overlays/popover.tsx'
import { hasHistory } from './has-history.ts'
import { lazyPart } from '../../ui/lazy-part.ts'

const HistoryDrawer = lazyPart(() =>
  import('./history-drawer.tsx').then((module) => module.HistoryDrawer),
)
const RecycleDrawer = lazyPart(() =>
  import('./recycle-bin/recycle-drawer.tsx').then((module) => module.RecycleDrawer),
)

/** The history drawer of a record; null id: closed. */
export function RecordHistory({
  config,
  id,
  onClose,
  onRestored,
}: {
  readonly config: EntityConfig
  readonly id: string | null
  readonly onClose: () => void
  readonly onRestored?: () => void
}) {
  const { can } = useApi()
  return id === null ? null : (
    <Suspense fallback={null}>
      <HistoryDrawer
        config={config}
        id={id}
        canRestore={can(entityPermission(config.tag, 'update'))}
        onClose={onClose}
        {...(onRestored === undefined ? {} : { onRestored })}
      />
    </Suspense>
  )
}

/** The history button of the details page. */
export function HistoryButton({
  config,
  id,
  onRestored,
}: {
  readonly config: EntityConfig
  readonly id: string
  readonly onRestored: () => void
}) {
  const { t } = useText()
  const [open, setOpen] = useState(false)
  if (!hasHistory(config)) return null
  return (
    <>
      <Button icon={<History />} text={t('history.open')} onClick={() => setOpen(true)} />
      <RecordHistory
        config={config}
        id={open ? id : null}
        onClose={() => setOpen(false)}
        onRestored={onRestored}
      />
    </>
  )
}

/** The recycle bin, loaded when it opens. */
export function Recycled(props: {
  readonly config: EntityConfig
  readonly onClose: () => void
  readonly onRestored: () => void
}) {
  return (
    <Suspense fallback={null}>
      <RecycleDrawer {...props} />
    </Suspense>
  )
}

/** The toolbar's menu of rarely used commands: the recycle bin. */
export function MoreOfList({
  config,
  onChanged,
}: {
  readonly config: EntityConfig
  readonly onChanged: () => void
}) {
  const { t } = useText()
  const [open, setOpen] = useState(false)
  if (config.recycles !== true) return null
  return (
    <>
      <Popover
        content={
          <Menu>
            <MenuItem text={t('recycle.open')} onClick={() => setOpen(true)} />
          </Menu>
        }
      >
        <Button
          variant="minimal"
          icon={<More />}
          aria-label={t('common.more')}
          title={t('common.more')}
        />
      </Popover>
      {open ? (
        <Recycled config={config} onClose={() => setOpen(false)} onRestored={onChanged} />
      ) : null}
    </>
  )
}
