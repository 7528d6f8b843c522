import type { SchoolInfo } from '@jiaowu/api/contract/student/student'
import { useText } from '../../../app/text-context.ts'
import { isWebAddress } from '../web-address.ts'

/**
 * Links to the school and its registrar, and their address, from the parameters
 * (docs/spec/2-student-service-and-designer.md §2).
 */
export function FooterLinks({
  school,
}: {
  readonly school: Pick<
    SchoolInfo,
    'schoolName' | 'schoolSite' | 'registrarSite' | 'contactAddress'
  > | null
}) {
  const { t } = useText()
  if (school === null) return <footer className="jw-foot" />
  const link = (href: string, text: string) =>
    isWebAddress(href) ? (
      <a href={href} target="_blank" rel="noreferrer">
        {text}
      </a>
    ) : null
  return (
    <footer className="jw-foot">
      {link(school.schoolSite, t('studentPage.schoolSite'))}
      {link(school.registrarSite, t('studentPage.registrarSite'))}
      {school.contactAddress === '' ? null : (
        <span>{t('studentPage.contact', { address: school.contactAddress })}</span>
      )}
    </footer>
  )
}
