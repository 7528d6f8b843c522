import type { StudentDetail } from '@jiaowu/api/contract/student/student'
import { useText } from '../../../app/text-context.ts'

const rows = [
  ['fldXm', 'studentPage.name'],
  ['fldXh', 'studentPage.studentNo'],
  ['fldSfzjh', 'studentPage.idNo'],
  ['fldYxsh', 'studentPage.faculty'],
  ['fldZymc', 'studentPage.majorName'],
  ['fldBjmc', 'studentPage.className'],
] as const satisfies readonly (readonly [keyof StudentDetail, string])[]

/** The record of the signed-in student (docs/spec/2-student-service-and-designer.md §3). */
export function StudentRecord({ detail }: { readonly detail: StudentDetail }) {
  const { t } = useText()
  return (
    <section className="jw-sheet jw-record" aria-labelledby="student-record">
      <h2 id="student-record">{t('studentPage.record')}</h2>
      <dl>
        {rows.map(([key, label]) => (
          <div key={key}>
            <dt>{t(label)}</dt>
            <dd>{detail[key]}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
