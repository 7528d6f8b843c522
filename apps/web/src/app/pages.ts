import type { MenuNode } from '@jiaowu/api/contract/session'
import { type ComponentType, createContext, useContext } from 'react'
import type { RouteObject } from 'react-router-dom'

/** A page that is shown over another one. */
export interface DrawerPlace {
  readonly path: string
  readonly title: string
}

/** A line of the palette that belongs to no record. */
export interface PaletteAction {
  readonly key: string
  readonly icon: string
  readonly text: string
  readonly run: () => void
}

export interface PaletteProps {
  readonly menu: readonly MenuNode[]
  readonly actions: readonly PaletteAction[]
  readonly onClose: () => void
  readonly onGo: (path: string) => void
}

/** The pages of the console. The frame shows them and does not import them. */
export interface Pages {
  /** Routes of the pages that a menu offers, and of those that need no menu entry. */
  readonly routes: (menu: readonly MenuNode[]) => RouteObject[]
  readonly RouteDrawer: ComponentType<{
    readonly place: DrawerPlace
    readonly onClose: () => void
  }>
  /** Ctrl+K. */
  readonly Palette: ComponentType<PaletteProps>
}

export const PagesContext = createContext<Pages | null>(null)
export function usePages(): Pages {
  const pages = useContext(PagesContext)
  if (pages === null) throw new Error('usePages outside of PagesContext')
  return pages
}
