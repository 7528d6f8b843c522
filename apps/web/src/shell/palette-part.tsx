import type { MenuNode } from '@jiaowu/api/contract/session'
import { Suspense, useEffect, useState } from 'react'
import { usePages } from '../app/pages.ts'
import { WithDrawer } from './navigation/with-drawer.tsx'
import { usePaletteActions } from './use-palette-actions.ts'

interface Props {
  readonly menu: readonly MenuNode[]
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onGo: (path: string) => void
  readonly onSignOut: () => Promise<void>
}

/** The palette over all views, with a drawer for what it opens over them. */
export function PalettePart({ isOpen, onSignOut, ...props }: Props) {
  const { Palette } = usePages()
  const actions = usePaletteActions(onSignOut)
  return (
    <WithDrawer>
      {isOpen ? (
        <Suspense fallback={null}>
          <Palette {...props} actions={actions} />
        </Suspense>
      ) : null}
    </WithDrawer>
  )
}

/** Whether the palette is open: Ctrl+K or Cmd+K. */
export function usePalette() {
  const palette = useState(false)
  const [, setOpen] = palette
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        setOpen(true)
      }
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [setOpen])
  return palette
}
