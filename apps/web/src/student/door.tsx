import type { ReactNode } from 'react'
import { useApp } from '../app/app-context.tsx'
import { Brand, PageTools } from './page-tools.tsx'

/** The sign-in page's frame: the form on one side, the notices on the other (student spec §2). */
export const Door = ({ children, board, foot }: { readonly children: ReactNode; readonly board: ReactNode; readonly foot: ReactNode }) => {
  const { t } = useApp()
  return (
    <div className="jw-door">
      <div className="jw-door__side">
        <header className="jw-door__top"><Brand /><PageTools /></header>
        <main className="jw-door__main">
          <h1><small>{t('studentPage.service')}</small>{t('studentPage.title')}</h1>
          <p className="jw-door__slogan">{t('studentPage.slogan')}</p>
          {children}
        </main>
        {foot}
      </div>
      {board}
    </div>
  )
}
