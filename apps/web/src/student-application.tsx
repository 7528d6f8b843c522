// The form of an application: that of the console, with the calls of a student.
import '@blueprintjs/core/lib/css/blueprint.css?part=console'
// Its first sheets are those of the start again: Blueprint's rules come before all of them.
import './styles/index.css'
import { toApplicantApi } from '@jiaowu/machines/entity-form/applicant-api'
import { useMemo } from 'react'
import { ApiContext, useApi } from './app/api-context.ts'
import { EntityForm } from './features/entity-form/entity-form.tsx'
import type { ApplicationFormProps } from './features/student/application/application-sheet.tsx'

export function StudentApplication(props: ApplicationFormProps) {
  const services = useApi()
  const applicant = useMemo(
    () => ({ ...services, api: toApplicantApi(services.api, services.user?.name ?? '') }),
    [services],
  )
  return (
    <ApiContext value={applicant}>
      <EntityForm {...props} asPage hasHistory={false} />
    </ApiContext>
  )
}
