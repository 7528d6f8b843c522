import type { ComponentType } from 'react'
import { useEffect } from 'react'
import { useLocation } from 'react-router-dom'
import { useText } from '../../../app/text-context.ts'
import { useSchool } from '../sign-in/use-school.ts'
import { StudentFrame } from '../student-frame.tsx'
import { ApplicationList } from './application-list.tsx'
import { type ApplicationFormProps, ApplicationSheet } from './application-sheet.tsx'

/**
 * Applications of a student: what the school lets students apply for, own applications, and each of them with its
 * form, files and flow (docs/rules/contract.md#students-as-applicants).
 */
export function ApplicationPages({
  Form,
  onSignOut,
}: {
  readonly Form: ComponentType<ApplicationFormProps>
  readonly onSignOut: () => void
}) {
  const { t } = useText()
  const { pathname } = useLocation()
  const school = useSchool()
  const [, , tag = '', id = null, edit] = pathname.split('/')
  useEffect(() => {
    document.title = `${t('studentPage.applications')} · ${t('app.title')}`
  }, [t])
  return (
    <StudentFrame
      at={null}
      title={t('studentPage.applications')}
      page="application"
      onSignOut={onSignOut}
      school={school}
    >
      {tag === '' ? (
        <ApplicationList />
      ) : (
        <ApplicationSheet key={pathname} Form={Form} tag={tag} id={id} isEdit={edit === 'edit'} />
      )}
    </StudentFrame>
  )
}
