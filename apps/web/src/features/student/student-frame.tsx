import { Button } from '@blueprintjs/core'
import { Desktop, LogOut } from '@blueprintjs/icons'
import type { SchoolInfo } from '@jiaowu/api/contract/student/student'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useApi } from '../../app/api-context.ts'
import { useText } from '../../app/text-context.ts'
import { Clock } from './sign-in/clock.tsx'
import { FooterLinks } from './sign-in/footer-links.tsx'
import { Brand, PageTools } from './page-tools.tsx'
import { Steps } from './download/steps.tsx'

const OwnSessions = lazy(async () => ({
  default: (await import('../../shell/session/own-sessions.tsx')).OwnSessions,
}))

const StudentInbox = lazy(async () => ({
  default: (await import('./student-inbox.tsx')).StudentInbox,
}))

const pages = { download: '#/', application: '#/application' } as const
type StudentPage = keyof typeof pages

/**
 * Frame of the student pages: clock, sign-out and the three steps
 * (docs/spec/2-student-service-and-designer.md §2).
 */
export function StudentFrame({
  at,
  title,
  page,
  onSignOut,
  school,
  children,
}: {
  /** Null: a page without steps. */
  readonly at: 1 | 2 | 3 | null
  readonly title?: string
  /** The page that the links to the others are shown on; without them where something is under way. */
  readonly page?: StudentPage
  readonly onSignOut: () => void
  readonly school: SchoolInfo | null
  readonly children: ReactNode
}) {
  const { t } = useText()
  const { user } = useApi()
  const [sessions, setSessions] = useState(false)
  return (
    <div className="jw-stu">
      <header className="jw-stu__head">
        <div className="jw-stu__bar">
          <Brand school={school} />
          <Clock />
          <span className="jw-stu__person">{user?.name}</span>
          <Suspense>
            <StudentInbox />
          </Suspense>
          <PageTools />
          <Button
            variant="minimal"
            icon={<Desktop />}
            aria-label={t('session.own')}
            title={t('session.own')}
            onClick={() => setSessions(true)}
          />
          <Button
            variant="minimal"
            icon={<LogOut />}
            aria-label={t('studentPage.signOut')}
            title={t('studentPage.signOut')}
            onClick={onSignOut}
          />
        </div>
      </header>
      <main className="jw-stu__main">
        <div className="jw-stu__title">
          <h1>{title ?? t('studentPage.title')}</h1>
        </div>
        {page === undefined ? null : <PageLinks page={page} />}
        {at === null ? null : <Steps at={at} />}
        {children}
      </main>
      <FooterLinks school={school} />
      {sessions ? (
        <Suspense>
          <OwnSessions onClose={() => setSessions(false)} />
        </Suspense>
      ) : null}
    </div>
  )
}

function PageLinks({ page }: { readonly page: StudentPage }) {
  const { t } = useText()
  return (
    <nav className="jw-stu__tabs" aria-label={t('studentPage.pages')}>
      {(['download', 'application'] as const).map((each) => (
        <a key={each} href={pages[each]} aria-current={each === page ? 'page' : undefined}>
          {t(each === 'download' ? 'studentPage.service' : 'studentPage.applications')}
        </a>
      ))}
    </nav>
  )
}
