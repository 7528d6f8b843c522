import { Button } from '@blueprintjs/core'
import { Download, Import } from '@blueprintjs/icons'
import type { EntityConfig } from '@jiaowu/api/entity/config'
import type { ImportMode } from '@jiaowu/api/contract/job'
import { toProblem } from '@jiaowu/api/problem'
import type { EntityListView } from '@jiaowu/machines/entity-list/view'
import { Suspense, useState } from 'react'
import { useApi } from '../../app/api-context.ts'
import { useText } from '../../app/text-context.ts'
import { useFailureToast } from '../../ui/use-failure-toast.ts'
import { lazyPart } from '../../ui/lazy-part.ts'

const ImportDrawer = lazyPart(() =>
  import('./import-drawer.tsx').then((module) => module.ImportDrawer),
)
const ExportDrawer = lazyPart(() =>
  import('../export/export-drawer.tsx').then((module) => module.ExportDrawer),
)

interface ImportDrawerProps {
  readonly config: EntityConfig
  readonly modes: readonly ImportMode[]
  readonly onClose: () => void
  readonly onChanged: () => void
}
/** The import drawer, loaded on first use. */
export function LazyImportDrawer(props: ImportDrawerProps) {
  return (
    <Suspense fallback={null}>
      <ImportDrawer {...props} />
    </Suspense>
  )
}

/** Import button with its drawer. Renders nothing if the user may not import. */
export function ImportButton({
  config,
  modes,
  onChanged,
}: {
  readonly config: EntityConfig
  readonly modes: readonly ImportMode[]
  readonly onChanged: () => void
}) {
  const { t } = useText()
  const [open, setOpen] = useState(false)
  if (modes.length === 0) return null
  return (
    <>
      <Button icon={<Import />} text={t('import.open')} onClick={() => setOpen(true)} />
      {open ? (
        <LazyImportDrawer
          config={config}
          modes={modes}
          onClose={() => setOpen(false)}
          onChanged={onChanged}
        />
      ) : null}
    </>
  )
}

/** Downloads the import template. Renders nothing if the user may not add rows. */
export function TemplateButton({ config, modes }: Pick<ImportDrawerProps, 'config' | 'modes'>) {
  const { t } = useText()
  const { api, saveFile } = useApi()
  const tellFailure = useFailureToast()
  if (!modes.includes('insert')) return null
  const download = () => {
    api.entityData
      .template({ params: { tag: config.tag } })
      .then((file) => saveFile(file))
      .catch((error: unknown) => tellFailure(toProblem(error)))
  }
  return <Button icon={<Download />} text={t('import.template')} onClick={download} />
}

/** The export drawer, loaded on first use. */
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
        where={view.where}
        sorts={view.sorts}
        total={view.total ?? 0}
        columns={columns}
        onClose={onClose}
      />
    </Suspense>
  )
}
