import { Button } from '@blueprintjs/core'
import { Import } from '@blueprintjs/icons'
import type { EntityConfig, ImportMode } from '@jiaowu/api'
import type { EntityListView } from '@jiaowu/machines'
import { lazy, Suspense, useState } from 'react'
import { useApp } from '../../shell/context/app-context.tsx'
import { importModesOf } from './modes.ts'

const ImportDrawer = lazy(async () => ({
  default: (await import('./import-drawer.tsx')).ImportDrawer,
}))
const ExportDrawer = lazy(async () => ({
  default: (await import('../export/export-drawer.tsx')).ExportDrawer,
}))

interface SheetProps {
  readonly config: EntityConfig
  readonly modes: readonly ImportMode[]
  readonly onClose: () => void
  readonly onChanged: () => void
}
/** The import drawer while it is open. */
export function ImportSheet(props: SheetProps) {
  return (
    <Suspense fallback={null}>
      <ImportDrawer {...props} />
    </Suspense>
  )
}

/** The import button, and its drawer while it is open. */
export function ImportButton({
  config,
  onChanged,
}: {
  readonly config: EntityConfig
  readonly onChanged: () => void
}) {
  const { t, can } = useApp()
  const [open, setOpen] = useState(false)
  const modes = importModesOf(config, can)
  if (modes.length === 0) return null
  return (
    <>
      <Button icon={<Import />} text={t('import.open')} onClick={() => setOpen(true)} />
      {open ? (
        <ImportSheet
          config={config}
          modes={modes}
          onClose={() => setOpen(false)}
          onChanged={onChanged}
        />
      ) : null}
    </>
  )
}

/** The export drawer while it is open. */
export function ExportOptions({
  config,
  view,
  columns,
  onClose,
}: {
  readonly config: EntityConfig
  readonly view: EntityListView
  readonly columns: readonly string[] | null
  readonly onClose: () => void
}) {
  return (
    <Suspense fallback={null}>
      <ExportDrawer
        config={config}
        applied={view.applied}
        sorts={view.sorts}
        total={view.total}
        columns={columns}
        onClose={onClose}
      />
    </Suspense>
  )
}
