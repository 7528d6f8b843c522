import { Button } from '@blueprintjs/core'
import { Print } from '@blueprintjs/icons'
import type { EntityConfig } from '@jiaowu/api/entity/config'
import { Suspense, useState } from 'react'
import { useText } from '../../../app/text-context.ts'
import { useNarrowLayout } from '../../../app/use-narrow.ts'
import type { List } from '../use-list.ts'
import { lazyPart } from '../../../ui/lazy-part.ts'

const PrintDrawer = lazyPart(() =>
  import('./print-drawer.tsx').then((module) => module.PrintDrawer),
)

/** Opens the list as it is printed. */
export function PrintButton({
  list,
  config,
}: {
  readonly list: List
  readonly config: EntityConfig
}) {
  const { t } = useText()
  const narrow = useNarrowLayout()
  const [isOpen, setOpen] = useState(false)
  if (narrow) return null
  return (
    <>
      <Button
        variant="minimal"
        icon={<Print />}
        aria-label={t('list.printAll')}
        title={t('list.printAll')}
        onClick={() => setOpen(true)}
      />
      {isOpen ? (
        <Suspense fallback={null}>
          <PrintDrawer list={list} config={config} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}
