import type { SchoolInfo } from '@jiaowu/api/contract/student/student'
import type { ReactNode } from 'react'
import { useText } from '../../../app/text-context.ts'
import { FooterLinks } from './footer-links.tsx'
import { Brand, PageTools } from '../page-tools.tsx'

/**
 * Layout of the sign-in page: form on one side, notices on the other
 * (docs/spec/2-student-service-and-designer.md §2).
 */
export function SignInLayout({
  children,
  board,
  school,
}: {
  readonly children: ReactNode
  readonly board: ReactNode
  readonly school: SchoolInfo | null
}) {
  const { t } = useText()
  return (
    <div className="jw-door">
      <div className="jw-door__side">
        <header className="jw-door__top">
          <Brand school={school} />
          <PageTools />
        </header>
        <main className="jw-door__main">
          <h1>
            <small>{t('studentPage.service')}</small>
            {t('studentPage.title')}
          </h1>
          <p className="jw-door__slogan">{t('studentPage.slogan')}</p>
          {children}
        </main>
        <FooterLinks school={school} />
      </div>
      {board}
    </div>
  )
}
